import { expect, it } from "vitest";
import { sendTestMessage } from "@/server/notifications/send-test-message";
import { previewMessage } from "./preview";
import { withMessages } from "./testing/with-messages";

it("a preview shows a person's newest credential with the entered text, and saves nothing", async () => {
  const { home, template, issue, request } = await withMessages([]);
  const { subjectId, verifyUrl } = await issue();
  const texts = { issued: { subject: "For {{name}}", body: "{{link}}" } };
  const sample = { id: template.id, kind: "issued", subjectId, messages: { texts, replyTo: "a@example.edu" } } as const;
  const shown = await previewMessage(home.ctx, sample);
  expect(shown).toMatchObject({
    from: "Example University",
    to: "ada@example.edu",
    replyTo: "a@example.edu",
    subject: "For Ada Lovelace",
    isExample: false,
    hasMailServer: false,
  });
  expect(shown.text).toContain(verifyUrl);
  const saved = await request("GET", `/v1/templates/${template.id}`);
  expect(saved.json()).toMatchObject({ messages: { texts: {}, replyTo: null } });
});

it("a preview shows example values without a person, or if the person has no credential", async () => {
  const { home, template, request } = await withMessages([]);
  const preview = (more: object) => previewMessage(home.ctx, { id: template.id, kind: "suspended", ...more });
  expect(await preview({})).toMatchObject({ isExample: true, to: null, text: expect.stringContaining("Ada Lovelace") });
  const { id } = (
    await request("PUT", "/v1/subjects", { externalId: "s-7", displayName: "Grace Hopper", email: "g@example.edu" })
  ).json<{ id: string }>();
  const shown = await preview({ subjectId: id });
  expect(shown).toMatchObject({ isExample: true, to: "g@example.edu", text: expect.stringContaining("Grace Hopper") });
  expect(shown.text).toContain("Reason: An example of a reason");
});

it("a test message is refused with an explanation if the service has no mail server", async () => {
  const { home, template } = await withMessages([]);
  await expect(sendTestMessage(home.ctx, { id: template.id, kind: "issued" })).rejects.toMatchObject({
    code: "mail_not_configured",
    message: expect.stringContaining("no mail server"),
  });
});

it("a preview of a template of another organisation is not found", async () => {
  const [{ home }, { template }] = [await withMessages([]), await withMessages([])];
  await expect(previewMessage(home.ctx, { id: template.id, kind: "issued" })).rejects.toMatchObject({
    code: "not_found",
  });
});
