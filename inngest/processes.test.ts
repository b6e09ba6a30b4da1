import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sql } from "@/server/core/db";
import { runChild, type Child } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/create";
import { Listener } from "@/server/webhooks/testing/listener";
import { Writers } from "./testing/writers";

let w: World;
let listener: Listener;
let children: Child[] = [];
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
  w = await world();
  listener = await new Listener().start();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await listener.close();
  await drop();
});

/** Two servers, whose attempts are told apart by the process that logged them. */
async function startTwo(): Promise<string[]> {
  await sql(`ALTER TABLE webhook_attempts ADD COLUMN sender text DEFAULT current_setting('application_name')`);
  const url = new URL(process.env["DATABASE_URL"]!);
  const start = async (name: string) => {
    url.searchParams.set("application_name", name);
    const child = await runChild("inngest/testing/server-process.ts", [], { DATABASE_URL: url.href, RATE_LIMIT_TOKEN: "0" });
    children.push(child);
    return child.line();
  };
  return Promise.all(["first", "second"].map(start));
}

const senders = () =>
  sql<{ sender: string; attempts: number }>(`SELECT sender, count(*) AS attempts FROM webhook_attempts WHERE org_id = $1 GROUP BY sender ORDER BY sender`, [w.orgId]);

it("two server processes share the work: the log has no gap, every delivery arrives, and no attempt is made twice", { timeout: 60_000 }, async () => {
  const paths = ["/first", "/second", "/third", "/slow"];
  for (const path of paths) await createWebhookEndpoint(w.ctx, { url: listener.url(path), eventTypes: ["subject.created"] });
  listener.answer = ({ path }, response) => void setTimeout(() => response.writeHead(204).end(), path === "/slow" ? 100 : 0);
  const origins = await startTwo();
  const writers = new Writers([...origins, ...origins, ...origins, ...origins], await w.key());
  await writers.until(() => writers.written.length >= 1000);
  await vi.waitFor(async () => expect((await senders()).filter(({ attempts }) => attempts >= 100)).toHaveLength(2), { timeout: 40_000 });
  await writers.stop();
  expect(writers.refused).toEqual([]);

  const ids = writers.written.map(({ id }) => id).sort();
  for (const path of paths) {
    const received = await listener.until(ids.length, path);
    const objects = received.map((request) => (JSON.parse(request.body) as { data: { object: { id: string } } }).data.object.id);
    expect(objects.sort()).toEqual(ids);
  }
  const attempts = listener.received.map(({ headers }) => `${String(headers["svc-delivery-id"])} ${String(headers["svc-attempt"])}`);
  expect(new Set(attempts).size).toBe(attempts.length);
  const log = await sql<{ sequence: number }>(`SELECT sequence FROM events WHERE org_id = $1 ORDER BY sequence`, [w.orgId]);
  expect(log.map(({ sequence }) => sequence)).toEqual(Array.from({ length: log.length }, (_, n) => n + 1));
});
