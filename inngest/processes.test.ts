import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runChild, type Child } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { logOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
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

/** Starts two servers. A column records which process inserted each delivery and each attempt. */
async function startTwo(): Promise<string[]> {
  for (const table of ["webhook_deliveries", "webhook_attempts"])
    await sql(`ALTER TABLE ${table} ADD COLUMN maker text DEFAULT current_setting('application_name')`);
  const url = new URL(process.env["DATABASE_URL"]!);
  const start = async (name: string) => {
    url.searchParams.set("application_name", name);
    const child = await runChild("inngest/testing/server-process.ts", [], {
      DATABASE_URL: url.href,
      RATE_LIMIT_TOKEN: "0",
    });
    children.push(child);
    return child.line();
  };
  return Promise.all(["first", "second"].map(start));
}

/** Returns the processes that inserted rows into a table. */
const makers = (table: string) => sql(`SELECT DISTINCT maker FROM ${table} WHERE org_id = $1`, [w.orgId]);

it("two server processes share numbering and sending: sequences have no gap, every delivery arrives, and no attempt is made twice", {
  timeout: 120_000,
}, async () => {
  const paths = ["/first", "/second", "/third", "/slow"];
  for (const path of paths)
    await createWebhookEndpoint(w.ctx, { url: listener.url(path), eventTypes: ["subject.created"] });
  listener.answer = ({ path }, response) =>
    void setTimeout(() => response.writeHead(204).end(), path === "/slow" ? 100 : 0);
  const origins = await startTwo();
  const writers = new Writers([...origins, ...origins, ...origins, ...origins], await w.key());
  await writers.until(() => writers.written.length >= 600);
  for (const table of ["webhook_deliveries", "webhook_attempts"]) {
    await vi.waitFor(async () => expect(await makers(table)).toHaveLength(2), { timeout: 60_000, interval: 100 });
  }
  await writers.stop();
  expect(writers.refused).toEqual([]);

  const ids = writers.written.map(({ id }) => id).sort();
  for (const path of paths) {
    const received = await listener.until(ids.length, path);
    const objects = received.map(
      (request) => (JSON.parse(request.body) as { data: { object: { id: string } } }).data.object.id,
    );
    expect(objects.sort()).toEqual(ids);
  }
  const attempts = listener.received.map(
    ({ headers }) => `${String(headers["svc-delivery-id"])} ${String(headers["svc-attempt"])}`,
  );
  expect(new Set(attempts).size).toBe(attempts.length);
  const log = await logOf(w.orgId);
  expect(log.map(({ sequence }) => sequence)).toEqual(Array.from({ length: log.length }, (_, n) => n + 1));
});
