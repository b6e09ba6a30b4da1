import { expectAccessible } from "./fixtures/accessible";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a holder corrects and confirms the name, and only then the degree exists", async ({ page, browser, service }) => {
  const organisation = await newOrganisation(service, "Careful University");
  await organisation.enter(page);
  const { id: templateId } = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Master of Arts",
    kind: "academic",
    publish: true,
  });
  await page.goto(`${service.url}/templates/${templateId}`);
  await page.getByRole("button", { name: "Change basics" }).click();
  await page.getByText("Ask holders to confirm their name first").click();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("confirm their name before anything is issued")).toBeVisible();

  const subject = { externalId: "s-1", displayName: "Ada Byron", email: "ada@example.edu" };
  const asked = await organisation.api<{ id: string; link: string }>("POST", "/v1/credentials", {
    subject,
    templateId,
  });
  const other = { externalId: "s-2", displayName: "Grace Hopper" };
  await organisation.api("POST", "/v1/credentials", { subject: other, templateId });

  // A new link would end the one that the waiting e-mail has, and that somebody may have passed on.
  await page.goto(`${service.url}/credentials/names`);
  await expect(page.getByText("The e-mail to ada@example.edu waits to be sent.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Copy link" })).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Send again" })).toHaveCount(0);

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(asked.link);
  await expect(phone.getByText("Ada Byron")).toBeVisible();
  await expectAccessible(phone, "the name");
  await phone.getByText("No, something is wrong").click();
  await phone.getByRole("textbox", { name: "Your name as it should stand" }).fill("Ada Lovelace");
  await phone.getByRole("button", { name: "Ask for this name" }).click();
  await expect(phone.getByRole("heading", { name: "Careful University looks at your wish" })).toBeVisible();

  await page.goto(`${service.url}/credentials`);
  await page.getByRole("link", { name: "2 names to confirm" }).click();
  await expect(page.getByText("Asks to be called “Ada Lovelace”")).toBeVisible();
  await expect(page.getByText("Has no e-mail address")).toBeVisible();
  await expectAccessible(page, "names to confirm");
  await page.getByRole("link", { name: "Decide on the name" }).click();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("button", { name: "Change name" }).click();
  await expect(page.getByText("No name waits for a decision")).toBeVisible();

  const { link } = await organisation.api<{ link: string }>("GET", `/v1/name_confirmations/${asked.id}`);
  await phone.goto(asked.link);
  await expect(phone.getByRole("heading", { name: "This link works no more" })).toBeVisible();
  await phone.goto(link);
  await expect(phone.getByText("Ada Lovelace", { exact: true })).toBeVisible();
  expect(await organisation.api("GET", "/v1/credentials")).toMatchObject({ data: [] });
  await phone.getByRole("button", { name: "Yes, issue it" }).click();
  await phone.getByRole("link", { name: "Open my credential" }).click();
  await expect(phone.getByText("Ada Lovelace").first()).toBeVisible();

  await page.goto(`${service.url}/credentials/names`);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("textbox", { name: "How do you know that the name is right?" }).fill("Showed a passport");
  await page.getByRole("button", { name: "Confirm and issue" }).click();
  await expect(page.getByText("Nobody has a name to confirm")).toBeVisible();
  expect((await organisation.api<{ data: object[] }>("GET", "/v1/credentials")).data).toHaveLength(2);
});
