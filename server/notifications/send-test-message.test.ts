import { afterAll, beforeAll, expect, it } from "vitest";
import { consoleCtx } from "@/server/access/console-session";
import { withMessages } from "@/server/messages/testing/with-messages";
import { auditOf } from "@/server/testing/audit";
import { person } from "@/server/testing/person";
import { sendTestMessage } from "./send-test-message";
import { MailServer } from "./testing/mail-server";

const server = new MailServer();
beforeAll(async () => {
  const { smtp } = await server.start();
  process.env["SMTP_URL"] = `smtp://user:p%40ss@127.0.0.1:${smtp.port}`;
  process.env["MAIL_FROM"] = "Bonafide <bonafide@example.edu>";
});
afterAll(() => server.close());

it("a test message goes to the person who requests it, with the entered text, and leaves an audit entry", async () => {
  const { home, template } = await withMessages([]);
  const { email, headers } = await person(home, "admin");
  const texts = { issued: { subject: "For {{name}}", body: "{{link}}" } };
  await sendTestMessage((await consoleCtx(headers))!, { id: template.id, kind: "issued", messages: { texts } });
  expect(server.received).toMatchObject([{ to: [email], source: expect.stringContaining("Test: For Ada Lovelace") }]);
  expect((await auditOf(home.orgId)).at(-1)).toBe("template.test_message_sent");
});
