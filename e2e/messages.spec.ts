import { MailServer } from "@/server/notifications/testing/mail-server";
import { newOrganisation } from "./fixtures/organisation";
import { startService, type Service } from "./fixtures/service";
import { expect, test } from "./fixtures/test";

const person = { externalId: "s-1", displayName: "Ada Lovelace", email: "ada@example.edu" };

test.describe("with a mail server", () => {
  const mail = new MailServer();
  let own: Service;
  test.beforeAll(async () => {
    own = await startService(await mail.listen());
  });
  test.afterAll(async () => {
    await own.stop();
    await mail.close();
  });

  test("holders get the messages that a template asks for, with its texts and the link", async ({ page }) => {
    const { api, enter } = await newOrganisation(own, "Mailing University");
    const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
      name: "Student card",
      kind: "student_id",
      publish: true,
    });
    await enter(page);
    await page.goto(`${own.url}/templates/${templateId}`);
    await expect(page.getByText("Nothing is sent automatically.")).toBeVisible();
    await page.getByRole("link", { name: "Choose and preview" }).click();
    await page.getByRole("checkbox", { name: /^Credential is ready/ }).check({ force: true });
    await page.getByRole("checkbox", { name: /^Credential revoked/ }).check({ force: true });
    await page.getByRole("textbox", { name: "Sender's name" }).fill("Registrar");
    await page.getByRole("textbox", { name: "Replies go to" }).fill("registrar@example.edu");
    const subject = page.getByRole("textbox", { name: "Subject" });
    await subject.fill("Welcome, {{nmae}}");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/unknown placeholder {{nmae}}/).first()).toBeVisible();
    await expect(page.getByText("The request is not valid")).toHaveCount(0);
    await subject.fill("Welcome, {{name}}");
    await expect(page.getByText("An example: choose a person above")).toBeVisible();
    const body = page.getByRole("textbox", { name: "Text" });
    const words = await body.inputValue();
    await body.fill("Come to the desk.");
    await expect(page.getByText("The text has no {{link}}")).toBeVisible();
    await body.fill(words);
    await expect(page.getByText("The text has no {{link}}")).toHaveCount(0);
    const preview = page.frameLocator("iframe[title='Preview of the message']");
    await expect(preview.getByRole("heading", { name: "Welcome, Ada Lovelace" })).toBeVisible();
    await body.fill(`${words}\n\nhttps://example.edu/${"rules".repeat(40)}`);
    const address = preview.getByRole("link", { name: /rulesrules/ });
    const [line, message] = await Promise.all([address.boundingBox(), preview.locator("body").boundingBox()]);
    expect(line!.x + line!.width).toBeLessThan(message!.x + message!.width);
    await body.fill(words);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved")).toBeVisible();

    const { id, verifyUrl } = await api<{ id: string; verifyUrl: string }>("POST", "/v1/credentials", {
      subject: person,
      templateId,
    });
    await expect.poll(() => mail.subjectsTo(person.email)).toEqual(["Welcome, Ada Lovelace"]);
    const letters = () => mail.received.filter(({ source: letter }) => letter.includes(`To: ${person.email}`));
    const [{ source } = { source: "" }] = letters();
    expect(source).toContain("From: Registrar <bonafide@example.edu>");
    expect(source).toContain("Reply-To: registrar@example.edu");
    expect(source).toContain(verifyUrl);
    await page.goto(verifyUrl);
    await expect(page.getByText("Student card").first()).toBeVisible();
    await api("POST", `/v1/credentials/${id}/revoke`, { reason: "Left the university" });
    await expect.poll(() => mail.subjectsTo(person.email)).toContain("Your credential “Student card” was revoked");
    expect(letters()[1]!.source).toContain("Left the university");

    await page.goto(`${own.url}/messages`);
    const rows = page.getByRole("row").filter({ hasText: "Ada Lovelace" });
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText("Credential revoked");
    await expect(rows.first()).toContainText("Sent");
  });

  test("a refused address shows as bounced in the outbox and on the person", async ({ page }) => {
    const { api, enter } = await newOrganisation(own, "Bouncing University");
    const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
      name: "Library card",
      kind: "membership",
      publish: true,
    });
    await api("PATCH", `/v1/templates/${templateId}`, { messages: { automatic: ["issued"] } });
    mail.answer = (to) => (to.startsWith("nobody") ? 550 : 0);
    const { subjectId } = await api<{ subjectId: string }>("POST", "/v1/credentials", {
      subject: { ...person, email: "nobody@example.edu" },
      templateId,
    });
    await enter(page);
    await page.goto(`${own.url}/messages?state=bounced`);
    await expect
      .poll(async () => (await api<{ data: unknown[] }>("GET", "/v1/messages?state=bounced")).data.length)
      .toBe(1);
    await page.reload();
    await page.getByRole("row").filter({ hasText: "nobody@example.edu" }).getByRole("button").click();
    await expect(page.getByText(/The mail server refused the address\. It said: 550/)).toBeVisible();
    await expect(page.getByText("From then on, messages go to the new one.")).toBeVisible();
    await page.goto(`${own.url}/subjects/${subjectId}`);
    await expect(page.getByText(/bounced/)).toBeVisible();
  });

  test("a bounced request to confirm a name says what to do, and its buttons fit a phone", async ({ page }) => {
    const { api, enter } = await newOrganisation(own, "Asking University");
    const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
      name: "Master of Arts",
      kind: "academic",
      publish: true,
    });
    await api("PATCH", `/v1/templates/${templateId}`, { confirmName: true });
    mail.answer = (to) => (to.startsWith("nobody") ? 550 : 0);
    const { id } = await api<{ id: string }>("POST", "/v1/credentials", {
      subject: { ...person, email: "nobody@example.edu" },
      templateId,
    });
    await expect
      .poll(async () => (await api<{ mail: string }>("GET", `/v1/name_confirmations/${id}`)).mail)
      .toBe("bounced");
    await page.setViewportSize({ width: 390, height: 844 });
    await enter(page);
    await page.goto(`${own.url}/credentials/names`);
    await expect(page.getByText("Correct the address, and the new one gets a link by itself.")).toBeVisible();
    const buttons = page.getByRole("listitem").filter({ hasText: "Master of Arts" }).getByRole("button");
    await expect(buttons).toHaveText(["Copy link", "Send again", "Confirm", "Cancel"]);
    const tops = await buttons.evaluateAll((each) => each.map((button) => button.getBoundingClientRect().top));
    expect([tops[0], tops[2]]).toEqual([tops[1], tops[3]]);
    await page.goto(`${own.url}/messages?state=bounced`);
    await page.getByRole("button").filter({ hasText: "Ada Lovelace" }).click();
    await expect(page.getByText("From then on, messages go to the new one.")).toBeVisible();
    await expect(page.getByText("To send a new link, open")).toBeVisible();
    await api("POST", `/v1/name_confirmations/${id}/cancel`, { reason: "Left the university" });
    await page.reload();
    await expect(page.getByText("Nothing can be sent again")).toBeVisible();
  });
});

test("without a mail server messages wait in the outbox, with the link to copy, and can be cancelled", async ({
  page,
  service,
}) => {
  const { api, enter } = await newOrganisation(service, "Waiting University");
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
  });
  await api("PATCH", `/v1/templates/${templateId}`, { messages: { automatic: ["issued"] } });
  const { id: credentialId, verifyUrl } = await api<{ id: string; verifyUrl: string }>("POST", "/v1/credentials", {
    subject: person,
    templateId,
  });
  await expect.poll(async () => (await api<{ data: unknown[] }>("GET", "/v1/messages")).data.length).toBe(1);
  await enter(page);
  await page.goto("/messages");
  await expect(page.getByText("No mail server is configured")).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Search messages" });
  await search.fill("nobody");
  await expect(page.getByText("No message matches")).toBeVisible();
  await search.fill("ada@exam");
  await page.getByRole("row").filter({ hasText: "ada@example.edu" }).getByRole("button").click();
  const panel = page.getByRole("dialog", { name: "Credential is ready" });
  await expect(panel.getByText(/has no mail server/)).toBeVisible();
  await expect(panel.getByText("Next attempt")).toHaveCount(0);
  await expect(panel.getByRole("region", { name: "Text of the message" })).toContainText(verifyUrl);
  await expect(panel.getByRole("button", { name: "Copy link to the credential" })).toBeVisible();
  expect((await api<{ data: { link: string }[] }>("GET", "/v1/messages")).data[0]!.link).toBe(verifyUrl);
  await panel.getByRole("button", { name: "Cancel message" }).click();
  await expect(panel.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(panel.getByRole("button", { name: "Send again" })).toBeVisible();
  await api("POST", `/v1/credentials/${credentialId}/revoke`, { reason: "Left the university" });
  await page.reload();
  await expect(panel.getByText(/the credential is revoked/)).toBeVisible();
  await expect(panel.getByRole("button", { name: "Send again" })).toHaveCount(0);
  await expect(page).toHaveURL(/message=msg_/);
});

test("an open message stays open when it leaves the filtered list, and its link opens it under any filter", async ({
  page,
  service,
}) => {
  const { api, enter } = await newOrganisation(service, "Filtering University");
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Master of Arts",
    kind: "academic",
    publish: true,
  });
  await api("PATCH", `/v1/templates/${templateId}`, { confirmName: true });
  await api("POST", "/v1/credentials", { subject: person, templateId });
  const messages = async () => (await api<{ data: { id: string; state: string }[] }>("GET", "/v1/messages")).data;
  await expect.poll(async () => (await messages()).length).toBe(1);
  await enter(page);
  await page.goto("/messages?state=pending");
  await page.getByRole("row").filter({ hasText: "ada@example.edu" }).getByRole("button").click();
  const panel = page.getByRole("dialog", { name: "Name to confirm" });
  await panel.getByRole("button", { name: "Cancel message" }).click();
  await expect(panel.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(page.getByText("No message matches")).toBeVisible();
  await expect(panel.getByRole("link", { name: "Names to confirm" })).toHaveAttribute("href", "/credentials/names");

  await page.goto(`/messages?q=nobody&message=${(await messages())[0]!.id}`);
  await expect(panel.getByText("Cancelled", { exact: true })).toBeVisible();
  await panel.getByRole("link", { name: "Master of Arts" }).click();
  await expect(page).toHaveURL(new RegExp(`/templates/${templateId}$`));
  await page.goto("/messages?message=msg_01kxtmb0w0e03s6tvnf6d8y7q2");
  await expect(page.getByRole("dialog", { name: "Message" }).getByText("Not found")).toBeVisible();
});

test("an error in the text of another message than the shown one is shown at its field", async ({ page, service }) => {
  const { api, enter } = await newOrganisation(service, "Wording University");
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
  });
  await enter(page);
  for (const path of ["/settings/messages", `/templates/${templateId}/messages`]) {
    await page.goto(path);
    const subject = page.getByRole("textbox", { name: "Subject" });
    await subject.fill("Welcome, {{nmae}}");
    await page.getByRole("button", { name: /^Message|Message$/ }).click();
    await page.getByRole("option", { name: "Credential suspended" }).click();
    await expect(subject).not.toHaveValue("Welcome, {{nmae}}");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(/^Has the unknown placeholder {{nmae}}/)).toBeVisible();
    await expect(subject).toHaveValue("Welcome, {{nmae}}");
    await expect(page.getByText("The request is not valid")).toHaveCount(0);
    await subject.fill("Welcome, {{name}}");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved")).toBeVisible();
  }
});
