import { beforeAll, expect, it } from "vitest";
import { withMessages } from "@/server/messages/testing/with-messages";
import { runChild } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { sendMessages } from "./send-messages";
import { mailSettings } from "./settings";
import { parseEnv } from "@/server/core/env";
import { MailServer } from "./testing/mail-server";

beforeAll(ownDatabase);

it("a process that is killed while it sends neither repeats nor loses a message", async () => {
  const server = new MailServer();
  const env = await server.listen();
  const { issue, outbox } = await withMessages(["issued"]);
  const people = Array.from({ length: 12 }, (_, n) => `a${n}@example.edu`);
  for (const email of people) await issue({ email });
  // The mail server has taken two messages of the first five, and is about to take the third.
  let taken = 0;
  const held = new Promise<void>((resolve) => {
    server.hold = async () => {
      if (++taken <= 2) return;
      resolve();
      await new Promise(() => undefined);
    };
  });
  const child = await runChild("server/notifications/testing/send.child.ts", [], env);
  await held;
  await child.kill();
  server.hold = undefined;
  const settings = mailSettings(parseEnv({ ...process.env, ...env }));
  const later = () => new Date(Date.now() + 10 * 60_000);
  await sendMessages(settings, later);
  await sendMessages(settings, later);
  const got = server.received.map(({ to }) => to[0]!);
  expect(new Set(got).size).toBe(got.length);
  const states = Map.groupBy(await outbox("?limit=100"), ({ state }) => state as string);
  const unknown = (states.get("failed") ?? []).map(({ to }) => to);
  // The outcome of the messages that the killed process held is unknown, and the outbox says so.
  expect(unknown.length).toBeLessThanOrEqual(5);
  expect(states.get("failed")?.every(({ error }) => (error as string).includes("nobody knows"))).toBe(true);
  expect(states.get("sent")!.length + unknown.length).toBe(12);
  expect(
    states
      .get("sent")!
      .map(({ to }) => to)
      .filter((to) => !got.includes(to as string)),
  ).toEqual([]);
  await server.close();
});
