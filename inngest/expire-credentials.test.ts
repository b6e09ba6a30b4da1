import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { pool } from "@/server/core/db";
import { issueCredential } from "@/server/credentials/issue";
import { reissueCredential } from "@/server/credentials/reissue";
import { updateCredential } from "@/server/credentials/update";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { inngest } from "./client";
import { createEmbeddedEngine } from "./embedded";
import type { EmbeddedEngine } from "./embedded/engine";
import { holdEngine } from "./engine-holder";
import { signals } from "./events";
import { expireCredentials } from "./expire-credentials";
import { installNudge, plannedWakeups } from "./nudge";
import { InngestServer } from "./testing/server";

// The sweep processes all organisations, so this file has a database of its own.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());

// Both instants lie between two ticks of the cron, 12:00 and 12:01.
const start = new Date("2026-05-01T12:00:05.000Z");
const due = new Date("2026-05-01T12:00:40.250Z");
const far = "2027-01-01T00:00:00Z";

/** Commands that set an instant at which a credential starts or ends, with the event that must be written then. */
const ways: Record<string, { event: string; act(w: World, templateId: string): Promise<unknown> }> = {
  "issuing with a near expiry": {
    event: "credential.expired",
    act: (w, templateId) => issued(w.ctx, templateId, { expiresAt: due.toISOString() }),
  },
  "issuing what starts soon": {
    event: "credential.issued",
    act: (w, templateId) => issued(w.ctx, templateId, { validFrom: due.toISOString() }),
  },
  "moving an expiry nearer": {
    event: "credential.expired",
    act: async (w, templateId) =>
      updateCredential(w.ctx, {
        id: (await issued(w.ctx, templateId, { expiresAt: far })).id,
        expiresAt: due.toISOString(),
      }),
  },
  "reissuing with a near expiry": {
    event: "credential.expired",
    act: async (w, templateId) =>
      reissueCredential(w.ctx, { id: (await issued(w.ctx, templateId)).id, expiresAt: due.toISOString() }),
  },
  "replacing with a near expiry": {
    event: "credential.expired",
    act: async (w, templateId) => {
      const { subjectId } = await issued(w.ctx, templateId);
      return issueCredential(w.ctx, {
        subject: { id: subjectId },
        templateId,
        expiresAt: due.toISOString(),
        ifExists: "replace",
      });
    },
  },
};

describe("with the embedded engine", () => {
  let engine: EmbeddedEngine;
  beforeEach(async () => {
    await sql(`TRUNCATE organisations CASCADE`);
    await sql(`TRUNCATE engine_runs, engine_event_ids CASCADE`);
    // The engine and the commands share a clock that only the test moves. Timers run in real time.
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    engine = await createEmbeddedEngine({
      client: inngest,
      functions: [expireCredentials],
      pool: pool(),
      signals,
      log: pino({ level: "silent" }),
      now: () => new Date(),
    });
    holdEngine(engine);
    await engine.start();
    installNudge(() => undefined);
  });
  afterEach(async () => {
    await engine.stop();
    holdEngine(undefined);
    vi.useRealTimers();
  });

  it.each(Object.entries(ways))(
    "%s plans a wake-up for that instant, and the event is written then",
    async (_, { event, act }) => {
      const w = await world();
      const template = await publishedTemplate(w.ctx);
      await act(w, template.id);
      await vi.waitFor(async () => {
        const waiting = await sql<{ due_at: Date }>(
          `SELECT due_at FROM engine_runs WHERE function_id = $1 AND state = 'queued'`,
          [expireCredentials.id("bonafide")],
        );
        expect(waiting.map((run) => run.due_at)).toEqual([due]);
      }, 20_000);
      const told = async () =>
        (await eventsOf(w.orgId)).map(({ type }) => type).filter((type) => type === event).length;
      const before = await told();
      vi.setSystemTime(due);
      engine.wake();
      await vi.waitFor(async () => expect(await told()).toBe(before + 1), 10_000);
    },
  );
});

describe("with an Inngest server", () => {
  const server = new InngestServer();
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });

  it("a wake-up is sent as an event with the instant as its ts", async () => {
    vi.stubEnv("INNGEST_BASE_URL", await server.listen());
    vi.stubEnv("INNGEST_EVENT_KEY", server.eventKey);
    vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
    // Import the modules anew, so that they read the environment of a process that uses an Inngest server.
    vi.resetModules();
    const [nudges, { world: newWorld }, credentials] = [
      await import("./nudge"),
      await import("@/server/testing/world"),
      await import("@/server/testing/credentials"),
    ];
    nudges.installNudge(() => undefined);
    const w = await newWorld();
    const at = new Date(w.ctx.now.getTime() + 40_000);
    await credentials.issued(w.ctx, (await credentials.publishedTemplate(w.ctx)).id, { expiresAt: at.toISOString() });
    await vi.waitFor(
      () =>
        expect(server.events).toContainEqual(
          expect.objectContaining({
            name: "bonafide/credentials.due",
            id: `credentials-due-${at.getTime()}`,
            ts: at.getTime(),
          }),
        ),
      20_000,
    );
    await (await import("@/server/core/db")).closeDb();
  });
});

describe("wake-ups", () => {
  const planner = (answers: boolean[] = []) => {
    let now = 0;
    const sent: number[] = [];
    const plan = plannedWakeups(
      (at) => {
        sent.push(at.getTime());
        return Promise.resolve(answers.shift() ?? true);
      },
      () => now,
    );
    return { sent, plan: (at: number) => plan(new Date(at)), setNow: (to: number) => (now = to) };
  };

  it("are sent for the earliest instant, again for an earlier one, and again after that has passed", () => {
    const { sent, plan, setNow } = planner();
    for (const at of [50_000, 50_000, 60_000, 30_000, 40_000]) plan(at);
    expect(sent).toEqual([50_000, 30_000]);
    setNow(30_000);
    plan(40_000);
    expect(sent).toEqual([50_000, 30_000, 40_000]);
  });

  it("are not sent for instants that the cron will plan", () => {
    const { sent, plan } = planner();
    plan(120_001);
    plan(120_000);
    expect(sent).toEqual([120_000]);
  });

  it("are sent again after a failed send", async () => {
    const { sent, plan } = planner([false]);
    plan(50_000);
    await Promise.resolve();
    plan(50_000);
    expect(sent).toEqual([50_000, 50_000]);
  });
});
