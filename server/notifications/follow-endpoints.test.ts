import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { readId } from "@/server/core/ids";
import { setNudge, type NudgeTopic } from "@/server/core/nudge";
import { transaction } from "@/server/core/transaction";
import { consumers } from "@/server/consumers";
import { Sequencer } from "@/server/reactions/sequencer";
import { ownDatabase } from "@/server/testing/own-database";
import { person } from "@/server/testing/person";
import { runChild } from "@/server/testing/child";
import { sql } from "@/server/testing/sql";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { notify } from "./notify";
import type { MailSettings } from "./settings";
import { MailServer } from "./testing/mail-server";

const server = new MailServer();
let settings: MailSettings;
beforeAll(async () => {
  settings = await server.start();
  // The environment of the process configures mail, as an operator would, so that the consumer is enabled.
  process.env["SMTP_URL"] = `smtp://user:p%40ss@127.0.0.1:${settings.smtp.port}`;
  process.env["MAIL_FROM"] = settings.from;
  return ownDatabase();
});
afterAll(async () => {
  delete process.env["SMTP_URL"];
  delete process.env["MAIL_FROM"];
  await server.close();
});
const stage = useStage();
beforeEach(async () => {
  await sql(`DELETE FROM webhook_endpoints`);
  await sql(`DELETE FROM notifications`);
  server.received.length = 0;
});

/** Creates an endpoint that answered 410 and was disabled; that event has no number yet. */
async function disabled(s: Stage) {
  s.listener.answer = (_, response) => response.writeHead(410).end();
  const endpoint = await s.endpoint("/hooks", { description: "Campus" });
  await s.happen();
  await s.send();
  return endpoint;
}
const queued = () => sql<{ kind: string; user_id: string }>(`SELECT kind, user_id FROM notifications ORDER BY user_id`);

it("queues the e-mail that an endpoint was disabled when the event is numbered, to owners and admins, and wakes the sender", async () => {
  const s = stage();
  const [owner, admin] = await Promise.all(
    (["owner", "admin", "viewer"] as const).map((role) => person(s.world, role)),
  );
  const nudged: NudgeTopic[] = [];
  await disabled(s);
  setNudge((topic) => nudged.push(topic));
  await new Sequencer(consumers).drain();
  setNudge(undefined);
  expect((await queued()).map(({ kind }) => kind)).toEqual(["endpoint_disabled", "endpoint_disabled"]);
  expect(nudged).toContain("mails");
  // The sweep finds nothing more to queue.
  expect(await notify(settings, () => new Date(s.now.getTime() + 60_000))).toEqual({ queued: 0, sent: 2 });
  expect([owner!, admin!].map(({ email }) => server.subjectsTo(email))).toEqual([
    ["Campus was disabled"],
    ["Campus was disabled"],
  ]);
});

it("queues nothing if a person disabled the endpoint", async () => {
  const s = stage();
  await person(s.world, "owner");
  const { id } = await s.endpoint();
  await disableWebhookEndpoint(s.ctx, { id });
  await new Sequencer(consumers).drain();
  expect(await queued()).toEqual([]);
});

it("skips a membership that another transaction has locked, so that numbering goes on; the sweep notifies that person", async () => {
  const s = stage();
  const [held, free] = [await person(s.world, "owner"), await person(s.world, "admin")];
  await disabled(s);
  await transaction(async (tx) => {
    await tx.sql(`SELECT FROM memberships WHERE id = $1 FOR UPDATE`, [readId("mem", held.memberId)]);
    await new Sequencer(consumers).drain();
    expect(await queued()).toHaveLength(1);
  });
  expect(await notify(settings, () => new Date(s.now.getTime() + 60_000))).toEqual({ queued: 1, sent: 2 });
  expect([held, free].map(({ email }) => server.subjectsTo(email).length)).toEqual([1, 1]);
});

it("an e-mail whose process is killed during hand-over is sent by another process after its lease", async () => {
  const s = stage();
  const { email } = await person(s.world, "owner");
  await disabled(s);
  await new Sequencer(consumers).drain();
  const taken = Promise.withResolvers<void>();
  server.hold = () => {
    taken.resolve();
    return new Promise(() => undefined);
  };
  const child = await runChild("server/notifications/testing/notify.child.ts", [String(s.now.getTime() + 60_000)]);
  await taken.promise;
  await child.kill();
  server.hold = undefined;
  expect(await notify(settings, () => new Date(s.now.getTime() + 61_000))).toEqual({ queued: 0, sent: 0 });
  expect(await notify(settings, () => new Date(s.now.getTime() + 60_000 + 5 * 60_000))).toEqual({ queued: 0, sent: 1 });
  expect(server.subjectsTo(email)).toEqual(["Campus was disabled"]);
});
