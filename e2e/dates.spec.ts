import type { Page } from "@playwright/test";
import { findAndChoose } from "./fixtures/find";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

// A reader in a distant time zone, whose own day must not show anywhere.
test.use({ timezoneId: "Asia/Tokyo", locale: "en-US" });

interface Credential {
  id: string;
  code: string;
  verifyUrl: string;
  expiresAt: string;
  updatedAt: string;
}

const go = (page: Page, screen: string) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: screen, exact: true }).click();

/** Chooses a time zone from the list in the settings, by a part of its name. */
async function setTimeZone(page: Page, search: string, name: string): Promise<void> {
  await go(page, "Settings");
  const zone = page.getByRole("combobox", { name: "Time zone" });
  await findAndChoose(page, zone, search, name);
  const dates = page.locator("form").filter({ has: zone });
  await dates.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Dates are shown in this way from now on").first()).toBeVisible();
}

test("list, detail, dialog, page and verification show the same last day, and saving it unchanged changes nothing", async ({
  page,
  service,
  browser,
}) => {
  const organisation = await newOrganisation(service, "Meridian College");
  const fields = [{ key: "until", label: "Good until", binding: "credential.expiresAt", format: "date" }];
  const template = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Pass",
    kind: "membership",
    publish: true,
    design: { front: { fields }, publicFields: ["until"] },
  });
  await organisation.enter(page);
  const visitor = await (await browser.newContext({ timezoneId: "America/Los_Angeles" })).newPage();
  let updates = 0;
  page.on("request", (request) => (updates += request.url().includes("/api/trpc/credentials.update") ? 1 : 0));
  const dialog = page.getByRole("dialog", { name: "Change expiry" });
  const openDialog = async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Change expiry" }).click();
  };
  const field = dialog.getByRole("textbox", { name: "Valid through" });
  let credential!: Credential;

  for (const [i, [search, zone, endOfJanuary]] of (
    [
      ["kiritimati", "Pacific/Kiritimati", "2029-01-31T10:00:00.000Z"],
      ["pago", "Pacific/Pago Pago", "2029-02-01T11:00:00.000Z"],
      ["new york", "America/New York", "2029-02-01T05:00:00.000Z"],
    ] as const
  ).entries()) {
    await test.step(zone, async () => {
      await setTimeZone(page, search, zone);
      credential = await organisation.api<Credential>("POST", "/v1/credentials", {
        subject: { externalId: `s-${i}`, displayName: `Ada ${i}` },
        templateId: template.id,
        expiresAt: endOfJanuary,
      });
      await go(page, "Credentials");
      const row = page.getByRole("row", { name: new RegExp(`Ada ${i}`) });
      await expect(row).toContainText("31 January 2029");
      await row.getByRole("link").first().click();
      await expect(page.getByRole("definition").filter({ hasText: /^31 January 2029$/ })).toBeVisible();
      await expect(page.getByRole("img", { name: /^Pass, issued by/ })).toContainText("31 January 2029");
      await openDialog();
      await expect(field).toHaveValue("31/01/2029");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(dialog).toHaveCount(0);
      expect(updates).toBe(0);
      const after = await organisation.api<Credential>("GET", `/v1/credentials/${credential.id}`);
      expect([after.expiresAt, after.updatedAt]).toEqual([endOfJanuary, credential.updatedAt]);
      expect(
        (await organisation.api<{ data: object[] }>("GET", `/v1/credentials/${credential.id}/history`)).data,
      ).toHaveLength(1);
      for (const path of [credential.verifyUrl, `${service.url}/verify?code=${credential.code}`]) {
        await visitor.goto(path);
        await expect(visitor.getByRole("definition").filter({ hasText: "31 January 2029" }).first()).toBeVisible();
        await expect(visitor.getByRole("main")).not.toContainText(/1 February 2029|30 January 2029/);
      }
    });
  }

  await test.step("half a date and an impossible day are reported at the field, and nothing is saved or lost", async () => {
    await openDialog();
    const save = dialog.getByRole("button", { name: "Save" });
    for (const [text, words] of [
      ["31/12", /^Write the whole day, such as 31\/12\/\d{4}\.$/],
      ["31/02/2029", "There is no 31 February 2029."],
    ] as const) {
      await field.fill(text);
      await save.click();
      await expect(dialog.getByText(words)).toBeVisible();
      await expect(field).toBeFocused();
      await expect(field).toHaveValue(text);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Keep editing" }).click();
    await expect(field).toHaveValue("31/02/2029");
    expect(updates).toBe(0);
  });

  await test.step("typing over another date gives exactly the typed day", async () => {
    for (const day of ["28/02/2029", "30/06/2029"]) {
      await field.fill(day);
      await field.press("ControlOrMeta+a");
      await field.pressSequentially("31122028");
      await expect(dialog.getByText("31 December 2028")).toBeVisible();
    }
  });

  await test.step("another last day ends with that day in New York", async () => {
    await field.fill("15/07/2029");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("definition").filter({ hasText: /^15 July 2029$/ })).toBeVisible();
    expect((await organisation.api<Credential>("GET", `/v1/credentials/${credential.id}`)).expiresAt).toBe(
      "2029-07-16T04:00:00.000Z",
    );
  });

  await test.step("the page of a lost card does not link to the new one, but that of an announced reissue does", async () => {
    const reissue = page.getByRole("dialog", { name: /^Reissue/ });
    const openReissue = async () => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Reissue" }).click();
    };
    await openReissue();
    await reissue.getByLabel("Public reason, if any").fill("Card lost");
    await expect(reissue.getByRole("checkbox")).not.toBeChecked();
    await reissue.getByRole("button", { name: "Reissue" }).click();
    await expect(page.getByText("An earlier credential")).toBeVisible();
    const { supersededBy } = await organisation.api<{ supersededBy: string }>(
      "GET",
      `/v1/credentials/${credential.id}`,
    );
    const newer = await organisation.api<Credential>("GET", `/v1/credentials/${supersededBy}`);
    expect(newer.expiresAt).toBe("2029-07-16T04:00:00.000Z");
    await visitor.goto(credential.verifyUrl);
    await expect(visitor.getByRole("heading", { name: "Replaced" })).toBeVisible();
    await expect(visitor.getByText("Card lost").first()).toBeVisible();
    await expect(visitor.getByRole("link", { name: "See it" })).toHaveCount(0);
    expect(await visitor.content()).not.toContain(newer.code);

    await openReissue();
    await reissue.getByText("Let the old page point to the new one").click();
    await reissue.getByRole("button", { name: "Reissue" }).click();
    await expect(reissue).toHaveCount(0);
    await visitor.goto(newer.verifyUrl);
    await visitor.getByRole("link", { name: "See it" }).click();
    await expect(visitor.getByRole("heading", { name: "Valid", exact: true })).toBeVisible();
  });
});

test("an end within a day is shown with its time in the details, and as its day in list, card and page", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Midday College");
  const fields = [{ key: "until", label: "Good until", binding: "credential.expiresAt", format: "date" }];
  const template = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Pass",
    kind: "membership",
    publish: true,
    design: { front: { fields }, publicFields: ["until"] },
  });
  const { id, code, verifyUrl } = await organisation.api<Credential>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace" },
    templateId: template.id,
    expiresAt: "2029-01-31T14:05:00Z",
  });
  const day = "31 January 2029";
  const end = `${day} at 14:05 UTC`;
  await organisation.enter(page);
  await page.goto("/credentials");
  const row = page.getByRole("row", { name: /Ada Lovelace/ });
  await expect(row).toContainText(day);
  await expect(row).not.toContainText("14:05");
  await page.goto(`/credentials/${id}`);
  await expect(page.getByRole("definition").filter({ hasText: end })).toBeVisible();
  const card = page.getByRole("img", { name: /^Pass, issued by/ });
  await expect(card).toContainText(day);
  await expect(card).not.toContainText("14:05");
  for (const path of [verifyUrl, `/verify?code=${code}`]) {
    await page.goto(path);
    await expect(
      page
        .getByRole("definition")
        .filter({ hasText: new RegExp(`^${day}$`) })
        .first(),
    ).toBeVisible();
  }
});

test("half a date in a form does not count as an empty date", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Half College");
  const fields = [{ key: "passed", label: "Passed on", binding: "credential.data.passed", format: "date" }];
  await organisation.api("POST", "/v1/templates", {
    name: "Pass",
    kind: "membership",
    publish: true,
    design: { front: { fields }, publicFields: ["passed"] },
  });
  const { id } = await organisation.api<{ id: string }>("PUT", "/v1/subjects", {
    externalId: "s-1",
    displayName: "Ada Lovelace",
  });
  await organisation.enter(page);
  await page.goto(`/subjects/${id}`);
  await page.getByRole("button", { name: "Issue credential" }).first().click();
  const dialog = page.getByRole("dialog");
  await findAndChoose(page, dialog.getByRole("combobox", { name: "Template" }), "Pass", /^Pass/);
  const issue = dialog.getByRole("button", { name: "Issue credential" });
  for (const name of ["Passed on", "Valid through"]) {
    const field = dialog.getByRole("textbox", { name });
    await field.fill("31/12");
    await issue.click();
    await expect(dialog.getByText(/^Write the whole day, such as/)).toBeVisible();
    await expect(field).toBeFocused();
    await field.fill("");
  }
  await dialog.getByRole("textbox", { name: "Passed on" }).fill("28/02/2027");
  await dialog.getByRole("textbox", { name: "Valid through" }).fill("31/12/2031");
  await issue.click();
  await expect(dialog).toBeHidden();
  const { data } = await organisation.api<{ data: object[] }>("GET", "/v1/credentials");
  expect(data).toEqual([
    expect.objectContaining({ expiresAt: "2032-01-01T00:00:00.000Z", data: { passed: "2027-02-28" } }),
  ]);
});
