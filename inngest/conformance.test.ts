import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Inngest } from "inngest";
import { serve } from "inngest/edge";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { closeDb, pool } from "@/server/core/db";
import { liveMetricsText } from "@/server/http/web/request-metrics";
import { functions } from "./functions";
import { inngest } from "./client";
import { deliverWebhooks } from "./deliver-webhooks";
import { createEmbeddedEngine } from "./embedded";
import type { EmbeddedEngine } from "./embedded/engine";
import { holdEngine } from "./engine-holder";
import {
  bulkQueued,
  connectorsQueued,
  credentialsDue,
  deliveriesDue,
  groupsDue,
  mailsQueued,
  policiesQueued,
  photosQueued,
  walletsDue,
} from "./events";
import { DrivenClock, TestApp, type RunRow } from "./testing/app";
import { listen } from "./testing/listen";
import { samples, type Outcome } from "./testing/samples";
import { InngestServer, type ServerRun } from "./testing/server";

const silent = pino({ level: "silent" });
afterAll(closeDb);

const inOrder = (outcomes: Outcome[]): Outcome[] =>
  outcomes.toSorted((a, b) => a.functionId.localeCompare(b.functionId));

function outcome(appId: string, { functionId, state, output, error }: RunRow | ServerRun): Outcome {
  const id = functionId.replace(`${appId}-`, "");
  return {
    functionId: id,
    state,
    output,
    ...(error && state === "failed" && { error: { name: error.name, message: error.message } }),
  };
}

describe("the embedded engine and an Inngest server give the same outcome for:", () => {
  test.each(samples(new Inngest({ id: "names" })).map(({ name }, i) => [name, i] as const))("%s", async (_, i) => {
    const app = new TestApp();
    const local = samples(app.client)[i]!;
    const clock = new DrivenClock();
    // The clock moves only when every open run waits for a later time. The lease outlasts each of these jumps.
    const engine = await app.start(local.functions, { now: clock.now, leaseMs: 20 * 86_400_000 });
    await app.client.send(local.event);
    await app.until((runs) => {
      const open = runs.filter((run) => run.state === "queued" || run.state === "running");
      if (open.length > 0 && open.every((run) => run.state === "queued" && run.dueAt > clock.now())) {
        clock.set(open.map((run) => run.dueAt.toISOString()).toSorted()[0]!);
        engine.wake();
      }
      return runs.length >= local.outcomes.length && open.length === 0;
    });
    await app.stop();
    expect(inOrder((await app.runs()).map((run) => outcome(app.id, run)))).toEqual(inOrder(local.outcomes));

    const server = new InngestServer();
    const { eventKey, signingKey } = server;
    const client = new Inngest({
      id: app.id,
      isDev: false,
      checkpointing: false,
      logger: silent,
      baseUrl: await server.listen(),
      eventKey,
      signingKey,
    });
    const remote = samples(client)[i]!;
    const web = await listen(serve({ client, functions: remote.functions, enableUnauthedSync: false }));
    await server.sync(web.url);
    await client.send(remote.event);
    expect(inOrder((await server.settled()).map((run) => outcome(app.id, run)))).toEqual(inOrder(remote.outcomes));
    await Promise.all([web.close(), server.close()]);
  });
});

/** Example data for each event that triggers a function. A new trigger event needs a line here. */
const data: Record<string, Record<string, unknown>> = {
  [deliveriesDue.name]: {},
  [bulkQueued.name]: {},
  [connectorsQueued.name]: {},
  [policiesQueued.name]: {},
  [mailsQueued.name]: {},
  [credentialsDue.name]: {},
  [groupsDue.name]: {},
  [walletsDue.name]: {},
  [photosQueued.name]: {},
};

const triggers = functions.flatMap((f) =>
  (f.opts.triggers ?? []).map((trigger: { cron?: string; name?: string; event?: string }) => {
    const event =
      trigger.cron === undefined
        ? { name: trigger.event!, data: data[trigger.event!] }
        : { name: "inngest/scheduled.timer", data: { cron: trigger.cron } };
    return { functionId: f.id(inngest.id), label: trigger.cron ?? event.name, event };
  }),
);

const ids = functions.map((f) => f.id(inngest.id));

async function failuresTold(functionId: string): Promise<number> {
  const [, count = "0"] =
    new RegExp(`^bonafide_jobs_failed_total{function="${functionId}"} (\\d+)$`, "m").exec(await liveMetricsText()) ??
    [];
  return Number(count);
}

describe("on the embedded engine:", () => {
  let engine: EmbeddedEngine;
  beforeAll(async () => {
    engine = await createEmbeddedEngine({ client: inngest, functions, pool: pool(), signals: new Set(), log: silent });
    holdEngine(engine);
    await engine.start();
  });
  afterAll(async () => {
    await engine.stop();
    holdEngine(undefined);
  });

  test.each(triggers)("$functionId for $label", async ({ functionId, event }) => {
    const id = randomUUID();
    await pool().query(
      `INSERT INTO engine_runs (function_id, event, due_at, created_at) VALUES ($1, $2, now(), now())`,
      [functionId, JSON.stringify({ ...event, id, ts: Date.now() })],
    );
    engine.wake();
    const row = await vi.waitFor(
      async () => {
        const { rows } = await pool().query<{ state: string; error: unknown }>(
          "SELECT state, error FROM engine_runs WHERE event->>'id' = $1 AND finished_at IS NOT NULL",
          [id],
        );
        return rows[0] ?? Promise.reject(new Error(`${functionId} has not ended`));
      },
      { timeout: 25_000 },
    );
    expect(row).toEqual({ state: "succeeded", error: null });
  });

  test.each(ids)("the failure of %s is told to the operator", async (functionId) => {
    const before = await failuresTold(functionId);
    // With 100 lapsed leases, the engine gives the run up without calling the function.
    await pool().query(
      `INSERT INTO engine_runs (function_id, event, due_at, created_at, lapses) VALUES ($1, $2, now(), now(), 100)`,
      [functionId, JSON.stringify({ name: "inngest/scheduled.timer", data: {}, id: randomUUID(), ts: Date.now() })],
    );
    engine.wake();
    await vi.waitFor(async () => expect(await failuresTold(functionId)).toBe(before + 1), { timeout: 25_000 });
  });
});

describe("when an Inngest server calls the route:", () => {
  const server = new InngestServer();
  let web: Awaited<ReturnType<typeof listen>>;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    vi.stubEnv("INNGEST_BASE_URL", await server.listen());
    vi.stubEnv("INNGEST_EVENT_KEY", server.eventKey);
    vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
    // Import the modules anew, so that they read the environment of a process that uses an Inngest server.
    vi.resetModules();
    const { POST } = await import("@/app/api/inngest/route");
    web = await listen(POST);
    vi.stubEnv("PUBLIC_URL", new URL(web.url).origin);
    const { startEngine } = await import("./engine");
    const engine = await startEngine();
    stop = () => engine.stop();
    await vi.waitFor(
      async () => expect(await engine.status()).toMatchObject({ mode: "inngest", ready: true, queued: null }),
      20_000,
    );
  });
  afterAll(async () => {
    await stop();
    await Promise.all([web.close(), server.close()]);
    vi.unstubAllEnvs();
  });

  test("startup registers every function at the public URL", async () => {
    expect(server.registrations[0]).toMatchObject({ url: web.url });
    const ids = (some: { id: string }[]) => some.map(({ id }) => id).toSorted();
    expect(ids(server.registrations[0]!.functions)).toEqual(ids(await server.sync(web.url)));
    expect(ids(await server.sync(web.url))).toEqual(expect.arrayContaining(functions.map((f) => f.id(inngest.id))));
  });

  test.each(triggers)("$functionId for $label", async ({ functionId, event }) => {
    await server.sync(web.url);
    const run = await server.run(functionId, { ...event, data: event.data!, id: randomUUID(), ts: Date.now() });
    expect({ state: run.state, error: run.error }).toEqual({ state: "succeeded", error: undefined });
  });

  test.each(ids)("the failure of %s is told to the operator", async (functionId) => {
    await server.sync(web.url);
    const before = await failuresTold(functionId);
    const event = { id: randomUUID(), name: "inngest/scheduled.timer", data: {}, ts: Date.now() };
    const error = { name: "Error", message: "down", stack: "" };
    const failure = {
      id: randomUUID(),
      name: "inngest/function.failed",
      data: { function_id: functionId, run_id: randomUUID(), error, event },
      ts: Date.now(),
    };
    expect(await server.run(`${functionId}-failure`, failure)).toMatchObject({ state: "succeeded" });
    expect(await failuresTold(functionId)).toBe(before + 1);
  });

  test("5000 nudges of one topic are sent as at most two events", async () => {
    const { nudge } = await import("@/server/core/nudge");
    server.events.length = 0;
    for (let i = 0; i < 5000; i++) nudge("deliveries");
    // The first nudge is sent at once, the rest together in a second event. Only one event is sent if an earlier test's
    // nudge came a moment before.
    const sent = (topic: { name: string }) => server.events.filter(({ name }) => name === topic.name).length;
    await vi.waitFor(() => expect(sent(deliveriesDue)).toBeGreaterThan(0), { timeout: 15_000 });
    // Each topic is sent once in a quarter of a second. A third event would be here before the third one of this topic.
    for (const n of [1, 2, 3]) {
      nudge("bulk");
      await vi.waitFor(() => expect(sent(bulkQueued)).toBe(n), { timeout: 15_000 });
    }
    expect(sent(deliveriesDue)).toBeLessThanOrEqual(2);
    expect(server.events).toHaveLength(sent(deliveriesDue) + 3);
  });

  test("the route refuses requests that are unsigned, wrongly signed, or signed six minutes early or late", async () => {
    const url = `${web.url}?fnId=${deliverWebhooks.id(inngest.id)}&stepId=step`;
    const body = server.callBody({ name: deliveriesDue.name, data: {}, ts: Date.now() });
    const good = server.signed("POST", body);
    const minutes = (n: number) => Date.now() + n * 60_000;
    const refused: Record<string, [string, RequestInit]> = {
      "no signature": [url, { method: "POST", body: JSON.stringify(body) }],
      "another body": [url, { ...good, body: JSON.stringify({ ...body, version: 1 }) }],
      "another key": [
        url,
        Object.assign(new InngestServer(), { signingKey: `signkey-test-${"f".repeat(64)}` }).signed("POST", body),
      ],
      "signed six minutes ago": [url, server.signed("POST", body, {}, minutes(-6))],
      "signed for later": [url, server.signed("POST", body, {}, minutes(6))],
      "an unsigned sync": [
        web.url,
        { method: "PUT", body: JSON.stringify({ url: web.url }), headers: { "x-inngest-sync-kind": "in_band" } },
      ],
      "an unsigned call for a registration": [web.url, { method: "PUT" }],
      "an unsigned look": [web.url, { method: "GET" }],
    };
    const statuses = await Promise.all(
      Object.entries(refused).map(async ([name, [to, init]]) => [name, (await fetch(to, init)).status]),
    );
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(Object.keys(refused).map((name) => [name, 401])));
    expect((await fetch(url, good)).status).toBe(200);
  });
});

test("functions use only steps that both engines support", () => {
  const folder = new URL(".", import.meta.url);
  const used = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((name) =>
      [...readFileSync(new URL(name, folder), "utf8").matchAll(/\bstep\.(\w+)/g)].map(([, tool]) => `${name}: ${tool}`),
    );
  expect(used.filter((use) => !/: (run|sleep|sleepUntil|sendEvent)$/.test(use))).toEqual([]);
});

test("the route answers 404 while the embedded engine runs the functions", async () => {
  vi.resetModules();
  const { GET, POST, PUT } = await import("@/app/api/inngest/route");
  const url = "http://localhost/api/inngest";
  for (const [method, handler] of Object.entries({ GET, POST, PUT }))
    expect((await handler(new Request(url, { method }))).status).toBe(404);
});
