import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { publicId, type Id } from "@/server/core/ids";
import { runChild, type Child } from "@/server/testing/child";
import { ownServer, type OwnServer } from "@/server/testing/own-server";
import { logOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { Listener } from "@/server/webhooks/testing/listener";
import { Writers } from "./testing/writers";

let postgres: OwnServer;
let w: World;
let listener: Listener;
let child: Child;
beforeAll(async () => {
  postgres = await ownServer();
  w = await world();
  listener = await new Listener().start();
  child = await runChild("inngest/testing/server-process.ts", [], { RATE_LIMIT_TOKEN: "0" });
});
afterAll(async () => {
  await child.kill();
  await listener.close();
  await postgres.close();
});

const readiness = async (origin: string) => (await fetch(`${origin}/readyz`)).json() as Promise<object>;

it("when PostgreSQL is stopped and killed under load, acknowledged writes are numbered without a gap and delivered, and no attempt is made twice", {
  timeout: 120_000,
}, async () => {
  const { id: endpointId } = await createWebhookEndpoint(w.ctx, {
    url: listener.url(),
    eventTypes: ["subject.created"],
  });
  // The delay of 30 ms keeps some attempts in flight at any moment.
  listener.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 30);
  const origin = await child.line();
  const writers = new Writers(
    Array.from({ length: 8 }, () => origin),
    await w.key(),
  );
  await writers.until(() => writers.written.length >= 150);
  for (const mode of ["fast", "immediate"] as const) {
    await listener.until(listener.received.length + 50);
    await postgres.stop(mode);
    const refused = writers.refused.length;
    expect(await readiness(origin)).toMatchObject({ status: "not_ready", checks: { database: { ok: false } } });
    await writers.until(() => writers.refused.length >= refused + 8);
    await postgres.start();
    const written = writers.written.length;
    await writers.until(() => writers.written.length >= written + 100);
  }
  await writers.stop();
  expect(new Set(writers.refused.map((refusal) => JSON.stringify(refusal)))).toEqual(
    new Set([
      JSON.stringify({ status: 503, contentType: "application/problem+json", retryAfter: "2", code: "unavailable" }),
    ]),
  );

  const log = await vi.waitFor(
    async () => {
      expect(await sql(`SELECT id FROM event_outbox WHERE org_id = $1`, [w.orgId])).toEqual([]);
      return logOf(w.orgId);
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(log.map(({ sequence }) => sequence)).toEqual(Array.from({ length: log.length }, (_, n) => n + 1));
  const created = log
    .filter(({ type }) => type === "subject.created")
    .map(({ resource }) => publicId("sub", resource as Id<"sub">));
  expect(new Set(created)).toEqual(new Set(writers.written.map(({ id }) => id)));
  expect(created).toHaveLength(writers.written.length);

  const received = await listener.until(created.length);
  const objects = received.map(
    (request) => (JSON.parse(request.body) as { data: { object: { id: string } } }).data.object.id,
  );
  expect(objects.sort()).toEqual(created.sort());
  await vi.waitFor(
    async () => {
      const statuses = await sql(
        `SELECT status, attempt_count, count(*) AS n FROM webhook_deliveries WHERE org_id = $1 AND endpoint_id = $2 GROUP BY 1, 2`,
        [w.orgId, endpointId],
      );
      expect(statuses).toEqual([{ status: "succeeded", attempt_count: 1, n: created.length }]);
      expect(await readiness(origin)).toMatchObject({ status: "ready" });
    },
    { timeout: 10_000, interval: 100 },
  );
});
