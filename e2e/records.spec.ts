import { newOrganisation, type Organisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

interface Credential {
  id: string;
  code: string;
  state: string;
  metadata: object;
  supersededBy: string | null;
}

async function issued({ api }: Organisation, subject: object): Promise<Credential> {
  const {
    data: [known],
  } = await api<{ data: { id: string }[] }>("GET", "/v1/templates");
  const template =
    known ??
    (await api<{ id: string }>("POST", "/v1/templates", { name: "Library card", kind: "membership", publish: true }));
  return api("POST", "/v1/credentials", { subject, templateId: template.id });
}

test("for a credential that somebody revoked meanwhile the valid reason is shown, also of a holder without a name", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Meanwhile University");
  const credential = await issued(organisation, { externalId: "s-77" });
  await organisation.enter(page);
  await page.goto(`/credentials/${credential.id}`);
  await expect(page.getByRole("link", { name: "s-77" })).toBeVisible();
  await page.getByRole("button", { name: "Revoke" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke s-77's credential?" });
  await dialog.getByLabel("Public reason").fill("A second reason");
  await organisation.api("POST", `/v1/credentials/${credential.id}/revoke`, { reason: "Left in spring" });
  await dialog.getByRole("button", { name: "Revoke for good" }).click();
  await expect(page.getByText("It was revoked already: Left in spring")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Verifiers read: “Left in spring”")).toBeVisible();
  await expect(page.locator(":focus")).toBeVisible();
});

test("reissuing says what happens to a suspension, and a chain of replacements can be followed to its end", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Reissue University");
  const first = await issued(organisation, { externalId: "s-1", displayName: "Ada Lovelace" });
  await organisation.api("POST", `/v1/credentials/${first.id}/suspend`, { reason: "Card lost" });
  await organisation.enter(page);
  const reissue = async () => {
    const before = page.url();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Reissue" }).click();
    const dialog = page.getByRole("dialog", { name: "Reissue Ada Lovelace's credential?" });
    await expect(dialog.getByText("Its suspension is carried over")).toBeVisible();
    await dialog.getByRole("button", { name: "Reissue" }).click();
    await expect(page).not.toHaveURL(before);
    await expect(page.getByText("Verifiers read: “Card lost”")).toBeVisible();
  };
  await page.goto(`/credentials/${first.id}`);
  await reissue();
  await reissue();
  const newest = page.url();
  await page.goto(`/credentials/${first.id}`);
  const chain = page.getByRole("list").filter({ hasText: "the newest" }).getByRole("listitem");
  await expect(chain).toHaveCount(2);
  await expect(chain.nth(0)).toContainText("replaced too");
  await expect(chain.nth(1)).toContainText("Suspended");
  await page.getByRole("link", { name: "Newest credential" }).click();
  await expect(page).toHaveURL(newest);
});

test("metadata is shown and changed: removed members are removed, the rest stays", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Noting University");
  const { id } = await issued(organisation, { externalId: "s-1", displayName: "Ada Lovelace" });
  await organisation.api("PATCH", `/v1/credentials/${id}`, { metadata: { box: 7, shelf: { row: "a", place: 3 } } });
  await organisation.enter(page);
  await page.goto(`/credentials/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Notes of your systems" });
  await dialog.getByLabel("Fields").fill("box: 8");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Line 1: box is not expected here.")).toBeVisible();
  for (const [typed, words] of [
    ['{\n"box": 7,\n"box": 8\n}', 'Line 3: "box" stands on line 2 already'],
    ['{\n"student": 12345678901234567890}', "Line 2: the number 12345678901234567890 is beyond"],
    ['{\n"box": null}', "Line 2: null cannot be kept"],
  ]) {
    await dialog.getByLabel("Fields").fill(typed!);
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByText(words!)).toBeVisible();
  }
  await dialog.getByLabel("Fields").fill('{"box": 8, "shelf": {"row": "a"}}');
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Edit" })).toBeFocused();
  expect(await organisation.api("GET", `/v1/credentials/${id}`)).toMatchObject({
    metadata: { box: 8, shelf: { row: "a" } },
  });
  expect((await organisation.api<Credential>("GET", `/v1/credentials/${id}`)).metadata).toEqual({
    box: 8,
    shelf: { row: "a" },
  });
});

test("events are filtered by actor and by days; an impossible day is reported while it is typed", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Eventful University");
  const { id } = await issued(organisation, { externalId: "s-1", displayName: "Ada Lovelace" });
  await organisation.enter(page);
  await page.goto(`/credentials/${id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Credential suspended")).toBeVisible();
  await page.goto("/events");
  const log = page.getByRole("table", { name: "Events" });
  await expect(log.getByRole("row", { name: /Credential issued credential\.issued/ })).toBeVisible();

  await page.getByRole("button", { name: /By anyone/ }).click();
  await page.getByRole("option", { name: /Olive Owner/ }).click();
  await expect(log.getByRole("row", { name: /Credential suspended/ })).toBeVisible();
  await expect(log.getByRole("row", { name: /Credential issued/ })).toBeHidden();
  await log.getByRole("button", { name: /Credential suspended/ }).click();
  await page.getByRole("button", { name: "All its events" }).click();
  await expect(page).toHaveURL(/actor=usr_/);

  await page.goto("/events?time=days&from=2026-02-31&through=9999-12-31");
  await expect(log.getByRole("row", { name: /Credential issued/ })).toBeVisible();
  const from = page.getByRole("textbox", { name: "From" });
  await from.fill("31022024");
  await page.keyboard.press("Tab");
  await expect(page.getByText("There is no 31 February 2024.")).toBeVisible();
  await from.fill("29/02/2024");
  await expect(page).toHaveURL(/from=2024-02-29/);
  await expect(log.getByRole("row", { name: /Credential issued/ })).toBeVisible();
});
