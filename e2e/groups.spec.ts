import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a registrar keeps a class and a group by rule", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Groups University");
  for (const [externalId, displayName, year] of [
    ["s-1", "Ada Lovelace", 3],
    ["s-2", "Grace Hopper", 1],
    ["s-3", "Alan Turing", 2],
  ] as const)
    await organisation.api("PUT", "/v1/subjects", { externalId, displayName, attributes: { year } });
  await organisation.enter(page);
  await page.goto(`${service.url}/groups`);

  await page.getByRole("button", { name: "Create group" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Class of 2026");
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(page.getByRole("heading", { name: "Class of 2026" })).toBeVisible();

  await page.getByRole("button", { name: "Add people" }).first().click();
  await dialog.getByLabel("Or paste your ids").fill("s-1\ns-2\nnobody");
  await dialog.getByRole("button", { name: "Add people" }).click();
  await expect(dialog.getByText("1 id was not found")).toBeVisible();
  await expect(dialog.getByLabel("Or paste your ids")).toHaveValue("nobody");
  await dialog.getByLabel("Or paste your ids").fill("s-3");
  await dialog.getByRole("button", { name: "Add people" }).click();
  await expect(dialog).toBeHidden();
  const people = page.getByRole("table", { name: "People of this group" });
  await expect(people.getByRole("row")).toHaveCount(4);

  await test.step("of pasted columns the first one counts, and existing members are not reported as added", async () => {
    await page.getByRole("button", { name: "Add people" }).first().click();
    await dialog.getByLabel("Or paste your ids").fill("s-1\tAda Lovelace\ns-2; s-3");
    await dialog.getByRole("button", { name: "Add people" }).click();
    await expect(page.getByText("Nobody was added: all are in the group already")).toBeVisible();
    await expect(dialog).toBeHidden();
  });

  await test.step("a search of its people is kept in the URL", async () => {
    await page.getByRole("searchbox", { name: "Search people of this group" }).fill("Grace");
    await expect(people.getByRole("row")).toHaveCount(2);
    await expect(page).toHaveURL(/q=Grace/);
    await page.reload();
    await expect(people.getByRole("row")).toHaveCount(2);
    await expect(people.getByText("Grace Hopper")).toBeVisible();
  });

  await test.step("an id in use links to the group that has it", async () => {
    const other = await organisation.api<{ id: string }>("POST", "/v1/groups", { name: "Choir", externalId: "choir" });
    await page.getByRole("button", { name: "Edit" }).click();
    await dialog.getByLabel("Your id").fill("choir");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText("Another group has this id")).toBeVisible();
    await expect(dialog.getByRole("link", { name: "See which it is" })).toHaveAttribute("href", `/groups/${other.id}`);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Clear search" }).click();
  });

  await page.getByRole("button", { name: "Actions for Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove from group" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByText("Removed from the group")).toBeVisible();
  await expect(people.getByText("Grace Hopper")).toBeHidden();

  await page.goto(`${service.url}/groups`);
  await page.getByRole("button", { name: "Create group" }).first().click();
  await dialog.getByLabel("Name").fill("Seniors");
  await dialog.getByRole("button", { name: /Members/ }).click();
  await page.getByRole("option", { name: /By rule/ }).click();
  await dialog.getByRole("button", { name: "Write as JSON" }).click();
  await dialog
    .getByRole("textbox", { name: "Rule" })
    .fill('{ "field": "attributes.year", "op": "atLeast", "value": 2 }');
  await expect(dialog.getByText(/\/rule\/op must be one of/)).toBeVisible();
  await dialog.getByRole("textbox", { name: "Rule" }).fill('{ "field": "attributes.year", "op": "gte", "value": 2 }');
  await expect(dialog.getByText("Matches 2 people now.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(people.getByText("Alan Turing")).toBeVisible();
  await expect(page.getByText("year is at least 2")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add people" })).toBeHidden();

  await people.getByText("Ada Lovelace").click();
  await expect(page.getByRole("link", { name: "Seniors" })).toBeVisible();
  await page.getByRole("link", { name: "Class of 2026" }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(page.getByText("The 2 people in it stay, with everything they hold.")).toBeVisible();
  await page.getByRole("button", { name: "Delete group" }).click();
  await expect(page.getByRole("table", { name: "Groups" }).getByRole("row")).toHaveCount(3);
});
