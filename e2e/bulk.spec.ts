import type { Page, Route } from "@playwright/test";
import { newOrganisation, type Organisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

interface Issued {
  id: string;
}

/** People with a card each. The newest is first in the list. */
async function cards({ api }: Organisation, people: readonly string[], from = 0): Promise<Issued[]> {
  const {
    data: [known],
  } = await api<{ data: { id: string }[] }>("GET", "/v1/templates");
  const template =
    known ??
    (await api<{ id: string }>("POST", "/v1/templates", { name: "Library card", kind: "membership", publish: true }));
  const made: Issued[] = [];
  for (const [i, displayName] of people.entries())
    made.push(
      await api<Issued>("POST", "/v1/credentials", {
        subject: { externalId: `s-${from + i}`, displayName },
        templateId: template.id,
      }),
    );
  return made;
}

async function chooseAllShown(page: Page, name = "Choose all on this page"): Promise<void> {
  const box = page.getByRole("checkbox", { name });
  await expect(box).toBeEnabled();
  await box.press("Space");
}

test("a bulk action names the refused people and reasons, and counts unchanged credentials separately", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Bulk University");
  const [active, suspended, revoked] = await cards(organisation, ["Ada Active", "Sam Suspended", "Rita Revoked"]);
  await organisation.api("POST", `/v1/credentials/${suspended!.id}/suspend`);
  await organisation.api("POST", `/v1/credentials/${revoked!.id}/revoke`, { reason: "Left in spring" });
  await organisation.enter(page);
  await page.goto("/credentials");
  const bar = page.getByRole("region", { name: "Chosen rows" });
  const chooseAll = () => chooseAllShown(page);

  await test.step("suspending: one done, one suspended before, one refused by name", async () => {
    await chooseAll();
    await bar.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Suspend 3 credentials" }).click();
    const outcome = page.getByRole("dialog", { name: "1 suspended, 1 suspended already, 1 refused" });
    const refused = outcome.getByRole("region", { name: "Refused" });
    await expect(refused).toContainText("Rita Revoked");
    await expect(refused).toContainText("s-2");
    await expect(refused).toContainText("It was revoked, which is for good.");
    await expect(refused).not.toContainText(/crd_|credential_state/);
    await expect(outcome.getByRole("region", { name: "So already" })).toContainText("Sam Suspended");
    await outcome.getByRole("button", { name: "Close" }).last().press("Enter");
    await expect(outcome).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
    expect(await organisation.api("GET", `/v1/credentials/${active!.id}`)).toMatchObject({ state: "suspended" });
  });

  await test.step("revoking: a credential that was revoked before keeps its first reason and is counted separately", async () => {
    await chooseAll();
    await bar.getByRole("button", { name: "Revoke" }).click();
    await page.getByLabel("Public reason").fill("The library has closed");
    await page.getByRole("button", { name: "Revoke 3 credentials for good" }).click();
    await expect(page.getByRole("dialog", { name: "2 revoked, 1 revoked already" })).toContainText("Rita Revoked");
    expect(await organisation.api("GET", `/v1/credentials/${revoked!.id}`)).toMatchObject({
      revocationReason: "Left in spring",
    });
  });

  await test.step("a job's page names the refused too", async () => {
    const rows = [active, suspended, revoked].map((each) => ({ id: each!.id, reason: "Once more" }));
    const fresh = await cards(organisation, ["Fay Fresh"], 3);
    const revoking = await organisation.api<{ id: string }>(
      "POST",
      "/v1/credentials/bulk",
      { action: "revoke", items: [...rows, { id: fresh[0]!.id, reason: "Once more" }] },
      { prefer: "respond-async" },
    );
    await page.goto(`/jobs/${revoking.id}`);
    await expect(page.getByText("and 3 revoked already")).toBeVisible();
    await expect(page.getByRole("row", { name: /Revoked already/ })).toHaveCount(3);
    const resuming = await organisation.api<{ id: string }>(
      "POST",
      "/v1/credentials/bulk",
      { action: "resume", items: [{ id: revoked!.id }] },
      { prefer: "respond-async" },
    );
    await page.goto(`/jobs/${resuming.id}`);
    const row = page.getByRole("row", { name: /Refused/ });
    await expect(row).toContainText("Rita Revoked");
    await expect(row).toContainText("s-2");
    await expect(row).toContainText("It was revoked, which is for good.");
  });
});

test("a choice is kept while the list changes, all matching rows can be chosen, and the focus is never lost", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Choosing University");
  await cards(
    organisation,
    Array.from({ length: 27 }, (_, i) => `Person ${String(i).padStart(2, "0")}`),
  );
  await organisation.enter(page);
  await page.goto("/credentials");
  const bar = page.getByRole("region", { name: "Chosen rows" });
  await page.getByRole("checkbox", { name: /^Choose Person 26/ }).press("Space");
  await page.getByRole("checkbox", { name: /^Choose Person 25/ }).press("Space");

  await test.step("after a new row, another page and another filter, the same people are still chosen", async () => {
    await cards(organisation, ["Newer Person"], 40);
    await page.getByRole("button", { name: "Next page" }).click();
    await expect(page.getByRole("row", { name: /Person 00/ })).toBeVisible();
    await expect(bar).toContainText("2 credentials chosen");
    await expect(bar).toContainText("none on this page");
    await expect(page.getByRole("button", { name: "Previous page" })).toBeFocused();
    await page.getByRole("searchbox", { name: "Search credentials" }).fill("Person 26");
    await expect(bar).toContainText("1 on this page");
    await bar.getByRole("button", { name: "Show" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "2 credentials chosen" });
    await expect(dialog).toContainText("Person 25");
    await dialog.getByRole("button", { name: "Do not choose Person 26" }).press("Enter");
    const rest = page.getByRole("dialog", { name: "1 credential chosen" });
    await expect(rest.getByRole("button", { name: "Do not choose Person 25" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(rest).toBeHidden();
    await expect(bar).toBeHidden();
    await expect(page.locator(":focus")).toBeVisible();
  });

  await test.step("while all matching rows are loading no action runs, and another choice or filter stops the loading", async () => {
    const held: Route[] = [];
    const reads = (url: URL) =>
      url.pathname.includes("credentials.list") && decodeURIComponent(url.search).includes('"limit":100');
    await page.goto("/credentials?q=Person");
    await chooseAllShown(page);
    await page.route(reads, (route) => void held.push(route));
    const chooseAll = page.getByRole("button", { name: "Choose all 28 that match" });
    const whileReading = async (act: () => Promise<void>) => {
      await chooseAll.press("Enter");
      await expect.poll(() => held.length).toBeGreaterThan(0);
      await expect(page.getByText("Choosing… 0 of 28")).toBeVisible();
      await expect(bar.getByRole("button", { name: "Suspend" })).toBeDisabled();
      await act();
      await expect(page.getByText(/^Choosing…/)).toBeHidden();
      for (const route of held.splice(0)) await route.continue().catch(() => {});
    };
    await whileReading(() => page.getByRole("button", { name: "Cancel" }).press("Enter"));
    await expect(bar).toContainText("25 credentials chosen");
    await whileReading(() => page.getByRole("checkbox", { name: /^Choose Person 26/ }).press("Space"));
    await expect(bar).toContainText("24 credentials chosen");
    await page.getByRole("checkbox", { name: /^Choose Person 26/ }).press("Space");
    await whileReading(async () => {
      await page.getByRole("searchbox", { name: "Search credentials" }).fill("Person 1");
      await expect(page).toHaveURL(/q=Person\+1/);
    });
    await expect(bar).toContainText("25 credentials chosen");
    await page.getByRole("searchbox", { name: "Search credentials" }).fill("Person");
    await expect(chooseAll).toBeVisible();
    await whileReading(() => bar.getByRole("button", { name: "Choose none" }).press("Enter"));
    await expect(bar).toBeHidden();
    await page.unroute(reads);
  });

  await test.step("a choice is kept while one of the credentials is opened", async () => {
    await page.goto("/credentials?q=Person+2");
    await page.getByRole("checkbox", { name: /^Choose Person 26/ }).press("Space");
    await page.getByRole("link", { name: "Person 26" }).click();
    await expect(page).toHaveURL(/\/credentials\/crd_/);
    await page.goBack();
    await expect(bar).toContainText("1 credential chosen");
    await expect(page.getByRole("checkbox", { name: /^Choose Person 26/ })).toBeChecked();
  });

  await test.step("all matching credentials are chosen, and no more are revoked than were counted", async () => {
    await page.goto("/credentials?q=Person");
    await chooseAllShown(page);
    await page.getByRole("button", { name: "Choose all 28 that match" }).press("Enter");
    await expect(bar).toContainText("28 credentials chosen");
    const [late] = await cards(organisation, ["Late Person"], 50);
    await bar.getByRole("button", { name: "Suspend" }).click();
    await expect(page.getByRole("button", { name: "Suspend 28 credentials" })).toBeDisabled();
    await expect(page.getByLabel("Type 28 to confirm")).toBeVisible();
    await page.keyboard.press("Escape");
    await bar.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke 28 credentials?" });
    await dialog.getByLabel("Public reason").fill("The year is over");
    await expect(dialog.getByRole("button", { name: "Revoke 28 credentials for good" })).toBeDisabled();
    await dialog.getByLabel("Type 28 to confirm").fill("28");
    await dialog.getByRole("button", { name: "Revoke 28 credentials for good" }).click();
    await expect(page.getByText("28 credentials revoked")).toBeVisible();
    expect(await organisation.api("GET", "/v1/credentials?state=active")).toMatchObject({ data: [{ id: late!.id }] });
  });
});

test("after other people were chosen, all of another search are offered; a page past the end shows the last page", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Two Searches University");
  const named = (name: string) => Array.from({ length: 27 }, (_, i) => `${name} ${String(i).padStart(2, "0")}`);
  await cards(organisation, [...named("Alpha"), ...named("Beta")]);
  await organisation.enter(page);
  const bar = page.getByRole("region", { name: "Chosen rows" });

  await test.step("choosing as many people as match is not the same as choosing the matching ones", async () => {
    await page.goto("/credentials?q=Alpha");
    await chooseAllShown(page);
    await page.getByRole("button", { name: "Choose all 27 that match" }).press("Enter");
    await expect(page.getByText("All 27 that match are chosen.")).toBeVisible();
    await page.getByRole("searchbox", { name: "Search credentials" }).fill("Beta");
    await expect(page.getByRole("row", { name: /Beta 26/ })).toBeVisible();
    await chooseAllShown(page);
    await expect(bar).toContainText("52 credentials chosen");
    await page.getByRole("button", { name: "Choose all 27 that match" }).press("Enter");
    await expect(page.getByText("All 27 that match are chosen.")).toBeVisible();
    await expect(bar).toContainText("54 credentials chosen");
    await bar.getByRole("button", { name: "Choose none" }).press("Enter");
  });

  await test.step("after the last page's rows are gone, the page before it is shown", async () => {
    await page.goto("/credentials?q=Beta&state=active&page=2");
    await expect(page.getByRole("row", { name: /Beta/ })).toHaveCount(2);
    await chooseAllShown(page);
    await bar.getByRole("button", { name: "Suspend" }).click();
    await page.getByRole("button", { name: "Suspend 2 credentials" }).click();
    await expect(page.getByRole("row", { name: /Beta 26/ })).toBeVisible();
    await expect(page).not.toHaveURL(/page=/);
    await expect(page.getByText(/All 0 on this page|No credential matches|There is no page/)).toHaveCount(0);
  });

  await test.step("a URL past the end leads to the last page", async () => {
    await page.goto("/credentials?page=999");
    await expect(page).toHaveURL(/page=3/);
    await expect(page.getByRole("row", { name: /Alpha 00/ })).toBeVisible();
    await page.goto("/subjects?page=999");
    await expect(page).toHaveURL(/page=3/);
    await expect(page.getByRole("row", { name: /Alpha 00/ })).toBeVisible();
  });
});

test("on a phone lists are sorted and chosen from, without headers", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Pocket University");
  await cards(organisation, ["Zoe", "Ada"]);
  await organisation.enter(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/subjects");
  await page.getByRole("button", { name: /Sort/ }).click();
  await page.getByRole("option", { name: "Name, A to Z" }).click();
  await expect(page).toHaveURL(/sort=displayName/);
  await expect(page.getByRole("row").first()).toContainText("Ada");
  await page.goto("/credentials");
  await chooseAllShown(page, "All on this page");
  await expect(page.getByRole("region", { name: "Chosen rows" })).toContainText("2 credentials chosen");
});
