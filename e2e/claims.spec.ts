import { MailServer } from "@/server/notifications/testing/mail-server";
import { expectAccessible, expectAccessibleColors } from "./fixtures/accessible";
import { newOrganisation } from "./fixtures/organisation";
import { startService, type Service } from "./fixtures/service";
import { test as base, expect } from "./fixtures/test";

const test = base.extend<object, { mailed: { service: Service; mail: MailServer } }>({
  mailed: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const mail = new MailServer();
      const { SMTP_URL, MAIL_FROM } = await mail.listen();
      const service = await startService({ SMTP_URL, MAIL_FROM });
      await use({ service, mail });
      await service.stop();
      await mail.close();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

const design = {
  front: {
    fields: [
      { key: "name", label: "Name", binding: "subject.displayName" },
      { key: "company", label: "Company", binding: "attributes.company" },
    ],
  },
  publicFields: ["name", "company"],
};

/** The six digits in the newest letter to an address. */
async function codeOf(mail: MailServer, address: string): Promise<string> {
  const letters = () => mail.received.filter(({ to }) => to.includes(address));
  await expect.poll(() => letters().length).toBeGreaterThan(0);
  return /\b(\d{3}) (\d{3})\b/.exec(letters().at(-1)!.source)!.slice(1).join("");
}

test("people claim under a link, and a registrar approves", async ({ page, browser, mailed }) => {
  const { service, mail } = mailed;
  const organisation = await newOrganisation(service, "Open Day University");
  await organisation.api("POST", "/v1/templates", { name: "Guest pass", kind: "membership", publish: true, design });
  await organisation.enter(page);
  await page.goto(`${service.url}/claims`);
  await page.getByRole("button", { name: "Create claim link" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create a claim link" });
  await dialog.getByRole("button", { name: /Template/ }).click();
  await page.getByRole("option", { name: "Guest pass" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("Open day");
  await dialog.getByRole("textbox", { name: "How many can claim" }).fill("2");
  await dialog.getByRole("button", { name: /Handed out/ }).click();
  await page.getByRole("option", { name: /After approval/ }).click();
  await dialog.getByRole("button", { name: "Create claim link" }).click();
  await expect(page.getByRole("heading", { name: "Open day" })).toBeVisible();
  const address = (await page.getByText(/\/claim\/[0-9A-Z-]{19}$/).textContent())!;

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(address);
  await expectAccessible(phone, "step 1");
  await phone.getByRole("textbox", { name: "E-mail" }).fill("grace@example.edu");
  await phone.getByRole("button", { name: "Send me a code" }).click();
  await expect(phone.getByRole("heading", { name: "Enter the code" })).toBeVisible();
  await phone.getByRole("textbox", { name: "Code from the e-mail" }).fill("12");
  await phone.getByRole("button", { name: "Continue" }).click();
  await expect(phone.getByText("That is not the code")).toBeVisible();
  await expectAccessible(phone, "step 2");
  await phone.getByRole("textbox", { name: "Code from the e-mail" }).fill(await codeOf(mail, "grace@example.edu"));
  await phone.getByRole("button", { name: "Continue" }).click();
  await phone.getByRole("textbox", { name: "Your name" }).fill("Grace Hopper");
  await phone.getByRole("textbox", { name: "Company" }).fill("Navy");
  await expectAccessible(phone, "step 3");
  await phone.getByRole("button", { name: "Ask for it" }).click();
  await expect(phone.getByRole("heading", { name: "Open Day University looks at it first" })).toBeVisible();
  await expectAccessible(phone, "step 4");
  // Back leads to the present step: nothing is sent again, and no outdated error is shown.
  await phone.goBack();
  await expect(phone.getByRole("heading", { name: "Open Day University looks at it first" })).toBeVisible();
  await phone.goBack();
  await expect(phone.getByRole("heading", { name: "Open Day University looks at it first" })).toBeVisible();
  await expect(phone.getByText("That is not the code")).toHaveCount(0);
  const german = await (await browser.newContext({ locale: "de-DE" })).newPage();
  await german.goto(address);
  await expect(german.getByRole("heading", { name: "Ihre E-Mail-Adresse" })).toBeVisible();
  await expectAccessible(german, "step 1 in German");
  const dark = await (await browser.newContext({ colorScheme: "dark" })).newPage();
  await dark.goto(address);
  await dark.getByRole("textbox", { name: "E-mail" }).fill("grace@example");
  await dark.getByRole("button", { name: "Send me a code" }).click();
  await expect(dark.getByText("Enter an e-mail address")).toBeVisible();
  await expectAccessibleColors(dark, "an error in the dark");

  await page.reload();
  await expect(page.getByText("grace@example.edu")).toBeVisible();
  await expect(page.getByText("Company: Navy")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const row = page.getByRole("row").filter({ hasText: "Grace Hopper" });
  const choice = (await row.locator("[data-slot=checkbox]").boundingBox())!;
  const state = (await row.getByText("Waiting").boundingBox())!;
  expect(state.y, "The state is below the checkbox").toBeGreaterThanOrEqual(choice.y + choice.height);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Approve Grace Hopper" }).click();
  await expect(page.getByText("One credential issued")).toBeVisible();
  await expect(page.getByText("1 of 2")).toBeVisible();

  await phone.goto(address);
  await phone.getByRole("link", { name: "Open my credential" }).click();
  await expect(phone.getByRole("heading", { name: "Valid" })).toBeVisible();
  await expect(phone.getByText("Grace Hopper").first()).toBeVisible();
});

test("a holder enters their home, adds an address, and gets the right name", async ({ page, browser, mailed }) => {
  const { service, mail } = mailed;
  const organisation = await newOrganisation(service, "Leaving University");
  const { id: templateId } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
    design,
  });
  const { subjectId } = await organisation.api<{ subjectId: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Byron", email: "ada@leaving.example" },
    templateId,
  });
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(`${service.url}/home`);
  await expectAccessible(phone, "door");
  await phone.getByRole("textbox", { name: "E-mail" }).fill("ada@leaving.example");
  await phone.getByRole("button", { name: "Send me a link" }).click();
  await expect(phone.getByRole("heading", { name: "Look into your mailbox" })).toBeVisible();
  await phone.goto(await linkOf(mail, "ada@leaving.example"));
  await phone.getByRole("button", { name: "Continue" }).click();
  await expect(phone.getByRole("link", { name: /Student card/ })).toBeVisible();
  await phone.getByText("My name is not right").click();
  await expectAccessible(phone, "home");
  await phone.getByRole("textbox", { name: "Your name" }).fill("Ada Lovelace");
  await phone.getByRole("textbox", { name: /What should they know/ }).fill("I married in July.");
  await phone.getByRole("button", { name: "Ask for this name" }).click();
  await expect(phone.getByText("The organisation has your request.")).toBeVisible();
  await phone.getByRole("textbox", { name: "Another e-mail address" }).fill("ada@personal.example");
  await phone.getByRole("button", { name: "Send a link to it" }).click();

  await organisation.enter(page);
  await page.goto(`${service.url}/subjects`);
  await page.getByRole("link", { name: "1 name to correct" }).click();
  await expect(page.getByText("I married in July.")).toBeVisible();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Change name" }).click();
  await expect(page.getByText("Name changed")).toBeVisible();

  await phone.goto(await linkOf(mail, "ada@personal.example"));
  await expect(phone.getByText("Leaving University")).toBeVisible();
  await expectAccessible(phone, "adding an address");
  await phone.getByRole("button", { name: "Yes, add my address" }).click();
  await expect(phone.getByRole("button", { name: "Remove ada@personal.example" })).toBeVisible();
  // The person leaves, and their address is removed.
  await organisation.api("PATCH", `/v1/subjects/${subjectId}`, { email: null });
  await phone.reload();
  await expect(phone.getByRole("link", { name: /Student card/ })).toBeVisible();
  await expect(phone.getByText("Ada Lovelace")).toBeVisible();
  await phone.getByRole("button", { name: "Sign out" }).click();
  await expect(phone.getByRole("button", { name: "Send me a link" })).toBeVisible();
});

/** The link in the newest letter to an address. */
async function linkOf(mail: MailServer, address: string): Promise<string> {
  const letters = () => mail.received.filter(({ to }) => to.includes(address));
  await expect.poll(() => letters().length).toBeGreaterThan(0);
  return /https?:\/\/[^\s"<>]+\/home\/enter\?token=[\w-]+/.exec(letters().at(-1)!.source)![0];
}
