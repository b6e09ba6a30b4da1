import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a registrar sends a credential by e-mail, and reads that the message waits for a mail server", async ({
  page,
  service,
}) => {
  const { api, enter } = await newOrganisation(service, "Sending University");
  const template = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Student card",
    kind: "student_id",
    publish: true,
  });
  const { id } = await api<{ id: string }>("POST", "/v1/credentials", {
    subject: { externalId: "s-1", displayName: "Ada Lovelace", email: "ada@example.edu" },
    templateId: template.id,
  });
  await enter(page);
  await page.goto(`/credentials/${id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Send by e-mail" }).click();
  const dialog = page.getByRole("dialog", { name: "Send Ada Lovelace's credential" });
  const address = dialog.getByRole("textbox", { name: "E-mail address" });
  await expect(address).toHaveValue("ada@example.edu");
  await address.fill("nonsense");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toBeVisible();
  await address.fill("ada@home.example");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Queued for ada@home.example")).toBeVisible();
  await expect(dialog).toBeHidden();
  const sent = page.getByRole("listitem").filter({ hasText: "ada@home.example" });
  await expect(sent.getByText("Waiting")).toBeVisible();
  await expect(sent.getByText(/has no mail server/)).toBeVisible();
  expect(await api("GET", `/v1/credentials/${id}`)).toMatchObject({
    channels: [{ id: expect.stringMatching(/^chn_/), type: "email", status: "pending" }],
  });
  await page.goto("/audit");
  await expect(page.getByText("Credential sent by e-mail")).toBeVisible();
});
