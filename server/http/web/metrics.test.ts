import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { engineStatus, setEngineStatus, type EngineStatus } from "@/server/core/engine-status";
import { noteFailedJob } from "@/server/core/failed-jobs";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { useStage } from "@/server/webhooks/testing/stage";
import { believeAddress } from "@/server/http/rest/client-address";
import { apiListener } from "./listener";
import { checkScraper, metricsText } from "./metrics";
import { ownFigures, setJobThreadFigures, type ThreadFigures } from "./thread-figures";

beforeAll(ownDatabase);
const stage = useStage();
const engine: EngineStatus = {
  mode: "embedded",
  ready: true,
  problem: null,
  queued: 3,
  running: 1,
  oldestDueSeconds: 4.5,
  failed24h: 2,
};

function sample(text: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

it("GET /metrics without a token is refused when a host other than our server (which starts the engine) serves the API", async () => {
  const { status } = await call("GET", "/metrics", { headers: { "x-bonafide-direct": "1" } });
  expect([await engineStatus(), status]).toEqual([null, 401]);
});

describe("the metrics", () => {
  it("tell what waits, since when, and what failed", async () => {
    const s = stage();
    setEngineStatus(async () => engine);
    s.listener.answer = (_, response) => response.writeHead(500).end();
    await s.endpoint();
    await s.happen(2);
    await s.send();
    s.advance(60_000);
    const told = sample(await metricsText(s.now));
    // The first retry becomes due 4 to 6 s after the failure.
    expect(told["bonafide_webhook_oldest_due_seconds"]).toBeGreaterThanOrEqual(54);
    expect(told["bonafide_webhook_oldest_due_seconds"]).toBeLessThanOrEqual(56);
    expect(told).toMatchObject({
      bonafide_events_unsequenced: 0,
      'bonafide_webhook_deliveries{state="due"}': 2,
      'bonafide_webhook_deliveries{state="retrying"}': 0,
      'bonafide_webhook_attempts_24h{outcome="failed"}': 2,
      bonafide_jobs_ready: 1,
      bonafide_jobs_queued: 3,
      bonafide_jobs_running: 1,
      bonafide_jobs_oldest_due_seconds: 4.5,
      bonafide_jobs_failed_24h: 2,
    });
  });

  it("omit counts that only an Inngest server has, and describe each metric once", async () => {
    setEngineStatus(async () => ({
      mode: "inngest",
      ready: true,
      problem: null,
      queued: null,
      running: null,
      oldestDueSeconds: null,
      failed24h: null,
    }));
    const text = await metricsText(new Date());
    expect(text).not.toContain("bonafide_jobs_queued");
    expect(text.endsWith("\n")).toBe(true);
    const described = text
      .split("\n")
      .filter((each) => each.startsWith("# TYPE"))
      .map((each) => each.split(" ")[2]);
    expect(new Set(described).size).toBe(described.length);
    expect(described).toEqual(expect.arrayContaining(["bonafide_webhook_deliveries", "process_resident_memory_bytes"]));
  });
});

describe("requests in the metrics", () => {
  it("are counted by path pattern and status, without any path itself", async () => {
    const count = async (route: string, status: number, method = "GET") =>
      sample(await metricsText(new Date()))[
        `http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`
      ] ?? 0;
    const before = [await count("/v1/subjects/:id", 401), await count("/v1/subjects/:id", 405, "POST")];
    await call("GET", "/v1/subjects/sub_secret?q=ada@example.org");
    await call("POST", "/v1/subjects/sub_secret");
    expect([await count("/v1/subjects/:id", 401), await count("/v1/subjects/:id", 405, "POST")]).toEqual(
      before.map((n) => n + 1),
    );
    expect(await metricsText(new Date())).not.toMatch(/sub_secret|ada@/);
  });

  it("appear together with the resources and connections of the process", async () => {
    const told = sample(await metricsText(new Date()));
    expect(told["nodejs_eventloop_lag_p99_seconds"]).toBeTypeOf("number");
    expect(told["process_cpu_seconds_total"]).toBeGreaterThan(0);
    expect(told['bonafide_db_connections{pool="requests",state="idle"}']).toBeGreaterThan(0);
    expect(told['bonafide_db_waiting{pool="queues"}']).toBe(0);
    expect(told["bonafide_verification_processes"]).toBe(0);
    expect(told["bonafide_verification_jobs_waiting"]).toBe(0);
    expect(told["bonafide_drawing_jobs_waiting"]).toBe(0);
    expect(told['bonafide_verification_jobs_ended_total{because="crash"}']).toBe(0);
  });
});

describe("the job thread in the metrics", () => {
  afterEach(() => setJobThreadFigures(undefined));

  it("is added to what the main thread counts", async () => {
    const before = sample(await metricsText(new Date()));
    const own = ownFigures();
    const jobs: ThreadFigures = {
      connections: { requests: { active: 0, idle: 0, waiting: 0 }, queues: { active: 2, idle: 3, waiting: 4 } },
      foreign: { ...own.foreign, active: 1 },
      drawing: { ...own.drawing, waiting: 5 },
      failedJobs: new Map([["send-messages", 2]]),
      securityEvents: new Map([["job_stopped", 3]]),
    };
    noteFailedJob("send-messages");
    setJobThreadFigures(async () => jobs);
    const told = sample(await metricsText(new Date()));
    const added = (name: string) => told[name]! - (before[name] ?? 0);
    expect(added('bonafide_db_connections{pool="queues",state="active"}')).toBe(2);
    expect(added('bonafide_db_connections{pool="queues",state="idle"}')).toBe(3);
    expect(added('bonafide_db_waiting{pool="queues"}')).toBe(4);
    expect(added("bonafide_verification_jobs_active")).toBe(1);
    expect(added("bonafide_drawing_jobs_waiting")).toBe(5);
    expect(added('bonafide_jobs_failed_total{function="send-messages"}')).toBe(3);
    expect(added('bonafide_security_events_total{type="job_stopped"}')).toBe(3);
  });

  it("keeps its last figures where it does not answer, so that no counter falls", async () => {
    let answers = true;
    const jobs = { ...ownFigures(), failedJobs: new Map([["send-mails", 2]]) };
    setJobThreadFigures(async () => {
      if (answers) return jobs;
      throw new Error("does not answer");
    });
    const failed = async () =>
      sample(await metricsText(new Date()))['bonafide_jobs_failed_total{function="send-mails"}'];
    expect(await failed()).toBe(2);
    answers = false;
    expect(await failed()).toBe(2);
  });
});

describe("the database in the metrics", () => {
  it("appears with its connections, lock waits, oldest transaction, size and dead rows", async () => {
    const figures = async () => sample(await metricsText(new Date()));
    const quiet = await figures();
    expect(quiet["bonafide_database_size_bytes"]).toBeGreaterThan(1_000_000);
    expect(quiet["bonafide_database_connections_max"]).toBeGreaterThan(10);
    expect(quiet['bonafide_database_dead_rows{table="subjects"}']).toBeTypeOf("number");
    expect(quiet['bonafide_database_rows{table="webhook_deliveries"}']).toBeTypeOf("number");
    expect(Object.keys(quiet).filter((name) => /table="events_/.test(name))).toEqual([]);
    const held = await transaction(async (tx) => {
      await tx.sql("SELECT pg_advisory_xact_lock(4711)");
      const waiting = transaction((other) => other.sql("SELECT pg_advisory_xact_lock(4711)"));
      await untilWaitingForLock(1, "4711");
      return { told: await figures(), waiting };
    });
    await held.waiting;
    expect(held.told["bonafide_database_lock_waits"]).toBeGreaterThan(0);
    expect(held.told["bonafide_database_oldest_transaction_seconds"]).toBeGreaterThan(0);
    expect(held.told['bonafide_database_connections{state="idle_in_transaction"}']).toBeGreaterThan(0);
    expect(held.told['bonafide_database_connections{state="active"}']).toBeGreaterThan(0);
  });
});

describe("GET /metrics", () => {
  /** Asks over a socket, with the same steps that server/serve.ts applies to every request. */
  async function scrape(trustedHops: number, headers: Record<string, string> = {}, host = "127.0.0.1") {
    const api = apiListener();
    const server = createServer((request, response) => {
      believeAddress(request, trustedHops);
      void api(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics`, { headers });
    await answer.text();
    await new Promise((resolve) => server.close(resolve));
    return answer;
  }

  it.each(["127.0.0.1", "127.9.9.9", "::1"])("answers a request from this machine as text: %s", async (host) => {
    setEngineStatus(async () => engine);
    const answer = await scrape(0, {}, host);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
  });

  it.each([
    ["who writes this machine's address into a header", 1, { "x-forwarded-for": "127.0.0.1" }],
    ["the same where no proxy is believed", 0, { "x-forwarded-for": "127.0.0.1" }],
    ["whom a proxy on this machine asks for, where it is not believed", 0, { "x-forwarded-for": "203.0.113.7" }],
    ["whom a proxy on this machine asks for, where it is believed", 1, { "x-forwarded-for": "203.0.113.7" }],
    ["whom another kind of proxy asks for", 0, { forwarded: "for=203.0.113.7" }],
    ["whom a proxy with a header of its own asks for", 0, { "x-real-ip": "203.0.113.7" }],
    ["who writes our own note", 1, { "x-forwarded-for": "127.0.0.1", "x-bonafide-direct": "1" }],
  ])("refuses %s", async (_, trustedHops, headers) => {
    setEngineStatus(async () => engine);
    expect((await scrape(trustedHops, headers as Record<string, string>)).status).toBe(401);
  });

  it("removes x-bonafide-direct from a request of another machine", () => {
    for (const sent of [{}, { "x-bonafide-direct": "1" }]) {
      const request = {
        socket: { remoteAddress: "::ffff:203.0.113.7" },
        headers: { ...sent },
        rawHeaders: Object.entries(sent).flat(),
      };
      believeAddress(request as unknown as IncomingMessage, 0);
      expect([request.headers, request.rawHeaders]).toEqual([
        { "x-forwarded-for": "203.0.113.7" },
        ["x-forwarded-for", "203.0.113.7"],
      ]);
    }
  });

  it("accepts the token from anywhere, and nothing else", () => {
    const token = "a-token-of-some-length";
    expect(() => checkScraper(`Bearer ${token}`, token, false)).not.toThrow();
    expect(() => checkScraper(`Bearer ${token}x`, token, true)).toThrow(
      expect.objectContaining({ code: "invalid_token" }),
    );
    expect(() => checkScraper(null, token, true)).toThrow(expect.objectContaining({ code: "unauthenticated" }));
  });
});
