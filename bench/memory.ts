import type { Ctx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { env } from "@/server/core/env";
import { newPublicId, publicId, readId, type Id } from "@/server/core/ids";
import { personScopes, scopes } from "@/server/core/scopes";
import { sequenceBatch } from "@/server/consumers";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { writingEvents } from "@/server/testing/events";
import type { Benchmark } from "./benchmark";
import { startListener, startSender } from "./processes";

/** The memory of a process, in bytes: its heap after a garbage collection, and its resident memory. */
export interface Memory {
  heapUsed: number;
  rss: number;
}

/** Deliveries stored at once. */
const perRound = 100_000;
const endpoints = 4;
const mebibyte = 1024 * 1024;

/**
 * Compares the memory of one sending process after a million deliveries, each attempt logged, with its memory after the
 * first 100,000.
 */
export const memory: Benchmark = async function* (setup, { million }) {
  const ctx: Ctx = {
    orgId: setup.orgId,
    actor: { type: "operator", id: "benchmark" },
    scopes: new Set([...scopes, ...personScopes]),
    requestId: newPublicId("req"),
    now: new Date(),
  };
  await writeEvents(ctx.orgId);
  const listener = await startListener();
  const sender = await startSender(env().DATABASE_URL);
  const ids: Id<"whe">[] = [];
  try {
    while (ids.length < endpoints)
      ids.push(
        readId(
          "whe",
          (
            await createWebhookEndpoint(ctx, {
              url: `${listener.origin}/hooks-${ids.length}`,
              eventTypes: ["webhook.*"],
            })
          ).id,
        ),
      );
    const first = await round(ctx.orgId, ids, sender.origin);
    let last = first;
    for (let sent = perRound; sent < million; sent += perRound) last = await round(ctx.orgId, ids, sender.origin);
    const reference = (bytes: number) => ({ name: "after the first 100,000", value: bytes / mebibyte });
    yield {
      name: "heap of the sender after a million deliveries",
      value: last.heapUsed / mebibyte,
      unit: "MB",
      reference: reference(first.heapUsed),
      target: { max: 1.2 },
    };
    yield {
      name: "its resident memory",
      value: last.rss / mebibyte,
      unit: "MB",
      reference: reference(first.rss),
      target: { max: 1.3 },
    };
  } finally {
    await sender.stop();
    for (const id of ids) await deleteWebhookEndpoint(ctx, { id: publicId("whe", id) });
    await listener.stop();
  }
};

/**
 * Writes events of a type that no endpoint of the round subscribes to, so that the benchmark makes their deliveries
 * itself, once in each round.
 */
async function writeEvents(orgId: Id<"org">): Promise<void> {
  const body = `{"id":"evt_","object":"event","type":"credential.issued","data":{"object":"${"x".repeat(500)}"}`;
  await sql(
    writingEvents(
      `SELECT $1::uuid AS org_id, uuidv7() AS id, 'credential.issued' AS type, uuidv7() AS resource_id, $2::text AS body FROM generate_series(1, $3::int)`,
    ),
    [orgId, body, perRound],
  );
  while ((await sequenceBatch()).more);
}

/**
 * Makes each event due once, has it sent, and deletes the deliveries. @throws if an attempt is not in the log as
 * accepted.
 */
async function round(orgId: Id<"org">, endpointIds: Id<"whe">[], sender: string): Promise<Memory> {
  await sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, next_attempt_at)
     SELECT org_id, uuidv7(), ($2::uuid[])[1 + sequence % cardinality($2)], id, type, sequence, now() - interval '1 hour'
     FROM event_log WHERE org_id = $1 AND type = 'credential.issued' ORDER BY sequence DESC LIMIT $3`,
    [orgId, endpointIds, perRound],
  );
  const answer = await fetch(sender, { method: "POST" });
  const [logged] = await sql<{ n: number }>("SELECT count(*) AS n FROM webhook_attempts WHERE status_code = 204");
  if (logged!.n !== perRound) throw new Error(`${logged!.n} of ${perRound} deliveries were accepted`);
  await sql("TRUNCATE webhook_attempts, webhook_deliveries");
  return (await answer.json()) as Memory;
}
