import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { startEngine } from "@/inngest/engine";
import type { Ctx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { newPublicId, readId, type Id } from "@/server/core/ids";
import { setNudge } from "@/server/core/nudge";
import { personScopes, scopes } from "@/server/core/scopes";
import { sequenceBatch } from "@/server/consumers";
import { upsertSubject } from "@/server/subjects/upsert";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { Dispatcher } from "@/server/webhooks/dispatch/dispatcher";
import { listWebhookEndpoints } from "@/server/webhooks/endpoints/list";
import { stopDispatcher } from "@/server/webhooks/dispatch/running";
import { writingEvents } from "@/server/testing/events";
import type { Benchmark, BenchmarkSetup } from "./benchmark";
import { percentile } from "./measure";
import { startListener } from "./processes";

const events = 100_000;
const endpoints = 4;

/**
 * Two rates: events that get their number and their deliveries, with one endpoint subscribed; and deliveries to a local
 * listener, each attempt logged.
 */
export const webhooks: Benchmark = async function* (setup) {
  const listener = await startListener();
  const ctx = contextOf(setup);
  try {
    await createWebhookEndpoint(ctx, { url: `${listener.origin}/hooks`, eventTypes: ["credential.*"] });
    await writeEvents(setup.orgId, events);
    const numbered = await measured(async () => {
      while ((await sequenceBatch()).more);
      return events;
    });
    yield { name: "sequencer, a delivery for each event", value: numbered, unit: "events/s", target: { min: 15_000 } };
    const ids = await spread(ctx, listener.origin);
    yield {
      name: "webhook deliveries, each attempt logged",
      value: await measured(() => sendAll(ctx, ids)),
      unit: "deliveries/s",
      target: { min: 4000 },
    };
  } finally {
    await clear(ctx);
    await forgetDeliveries();
    await listener.stop();
  }
};

/**
 * Measures the time from the commit of a change to the arrival of its webhook in three situations: idle; at 1,000
 * changes a second with another endpoint that hangs and has 200,000 deliveries due; and with no other changes but three
 * other endpoints: that one, one that fails at once, and one that works through 200,000 deliveries.
 */
export const arrival: Benchmark = async function* (setup, { seconds }) {
  const ctx = contextOf(setup);
  const arrivals = await listenForSubjects();
  const others = await startListener();
  const engine = await startEngine();
  const arrival = (externalId: string) =>
    arrivals.after(() => upsertSubject({ ...ctx, now: new Date() }, { externalId }), externalId);
  const troubled = async (path: string, due: number) => {
    const { id } = await createWebhookEndpoint(ctx, {
      url: `${others.origin}/${path}`,
      eventTypes: ["subject.created"],
    });
    await makeDue(ctx, readId("whe", id), due);
    return readId("whe", id);
  };
  try {
    await createWebhookEndpoint(ctx, { url: `${arrivals.origin}/hooks`, eventTypes: ["subject.created"] });
    await oneByOne(50, (n) => arrival(`first-${n}`));
    const idle = await oneByOne(200, (n) => arrival(`idle-${n}`));
    yield {
      name: "commit to webhook arrival, idle, p50",
      value: percentile(idle, 0.5),
      unit: "ms",
      target: { max: 20 },
    };
    await troubled("hanging", 200_000);
    const busy = await atRate(1000, seconds, (n) => arrival(`busy-${n}`));
    yield {
      name: "the same at 1,000 a second, another hanging before 200,000, p50",
      value: percentile(busy, 0.5),
      unit: "ms",
      target: { max: 250 },
    };
    await troubled("failing", 50_000);
    const backlog = await troubled("backlog", 200_000);
    const beside = await oneByOne(200, (n) => arrival(`beside-${n}`));
    if ((await pendingOf(ctx, backlog)) === 0) throw new Error("The backlog was used up before the measurement ended");
    for (const p of [0.5, 0.95]) {
      const name = `added to idle by one hanging, one failing, one with 200,000 due, p${100 * p}`;
      yield { name, value: percentile(beside, p) - percentile(idle, p), unit: "ms", target: { max: 100 } };
    }
  } finally {
    // From here on, no dispatcher is to be woken.
    setNudge(() => undefined);
    await clear(ctx);
    await engine.stop();
    await stopDispatcher(0);
    await others.stop();
    await forgetDeliveries();
    arrivals.close();
  }
};

function contextOf({ orgId }: BenchmarkSetup): Ctx {
  return {
    orgId,
    actor: { type: "operator", id: "benchmark" },
    scopes: new Set([...scopes, ...personScopes]),
    requestId: newPublicId("req"),
    now: new Date(),
  };
}

function writeEvents(orgId: Id<"org">, count: number): Promise<object[]> {
  const body = `{"id":"evt_","object":"event","type":"credential.issued","data":{"object":"${"x".repeat(500)}"}`;
  return sql(
    writingEvents(
      `SELECT $1::uuid AS org_id, uuidv7() AS id, 'credential.issued' AS type, uuidv7() AS resource_id, $2::text AS body FROM generate_series(1, $3::int)`,
    ),
    [orgId, body, count],
  );
}

/** Stores deliveries of one event that are due to an endpoint. */
function makeDue(ctx: Ctx, endpointId: Id<"whe">, count: number): Promise<object[]> {
  return sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, next_attempt_at)
     SELECT $1, uuidv7(), $2, (SELECT id FROM event_log WHERE org_id = $1 LIMIT 1), 'subject.created', n, now() - interval '1 hour'
     FROM generate_series(1, $3::int) AS n`,
    [ctx.orgId, endpointId, count],
  );
}

async function pendingOf(ctx: Ctx, endpointId: Id<"whe">): Promise<number> {
  const [row] = await sql<{ n: number }>(
    `SELECT count(*) AS n FROM webhook_deliveries WHERE org_id = $1 AND endpoint_id = $2 AND status = 'pending'`,
    [ctx.orgId, endpointId],
  );
  return row!.n;
}

/**
 * Spreads the due deliveries of one endpoint over several, because a single endpoint gets at most 128 requests at a
 * time.
 */
async function spread(ctx: Ctx, origin: string): Promise<Id<"whe">[]> {
  const ids = [(await listWebhookEndpoints(ctx, {})).data[0]!.id].map((id) => readId("whe", id));
  while (ids.length < endpoints)
    ids.push(readId("whe", (await createWebhookEndpoint(ctx, { url: `${origin}/hooks-${ids.length}` })).id));
  await sql(`UPDATE webhook_deliveries SET endpoint_id = ($2::uuid[])[1 + sequence % $3::int] WHERE org_id = $1`, [
    ctx.orgId,
    ids,
    endpoints,
  ]);
  return ids;
}

async function sendAll({ orgId }: Ctx, endpointIds: Id<"whe">[]): Promise<number> {
  const sender = new Dispatcher();
  sender.wake();
  await sender.settled();
  await sender.stop({ graceMs: 0 });
  const [row] = await sql<{ n: number }>(
    `SELECT count(*) AS n FROM webhook_attempts WHERE org_id = $1 AND endpoint_id = ANY($2) AND status_code = 204`,
    [orgId, endpointIds],
  );
  return row!.n;
}

async function measured(work: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const done = await work();
  return (done / (performance.now() - started)) * 1000;
}

async function clear(ctx: Ctx): Promise<void> {
  for (const { id } of (await listWebhookEndpoints(ctx, { limit: 100 })).data) await deleteWebhookEndpoint(ctx, { id });
}

/** Removes all deliveries, so that the next measurement counts only its own. */
function forgetDeliveries(): Promise<object[]> {
  return sql("TRUNCATE webhook_deliveries, webhook_attempts");
}

/** Starts a listener that reports when the event of a subject, found by its externalId, has arrived. */
async function listenForSubjects() {
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(204).end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { object: { externalId: string } } };
      waiting.get(data.object.externalId)?.();
      waiting.delete(data.object.externalId);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the milliseconds from the end of `commit` to the arrival. */
    async after(commit: () => Promise<unknown>, externalId: string): Promise<number> {
      const arrived = new Promise<number>((resolve) => waiting.set(externalId, () => resolve(performance.now())));
      await commit();
      const committed = performance.now();
      return (await arrived) - committed;
    },
    close: () => server.closeAllConnections(),
  };
}

/** Calls `work` `times` times, each call 20 ms after the end of the previous one. */
async function oneByOne(times: number, work: (n: number) => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  while (results.length < times) {
    results.push(await work(results.length));
    await pause(20);
  }
  return results;
}

/** Maximum of concurrent calls, so that a machine that cannot keep up does not run out of connections. */
const mostAtOnce = 2000;

/** Calls `work` `perSecond` times a second without waiting for earlier calls, as independent clients would. */
async function atRate(perSecond: number, seconds: number, work: (n: number) => Promise<number>): Promise<number[]> {
  const results: Promise<number>[] = [];
  let under = 0;
  const begin = (n: number) => work(n).finally(() => under--);
  const started = performance.now();
  while (results.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - started) / 1000) * perSecond);
    for (; results.length < due && under < mostAtOnce; under++) results.push(begin(results.length));
    await pause(1);
  }
  return Promise.all(results);
}
