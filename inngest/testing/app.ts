import { randomUUID } from "node:crypto";
import { Inngest, type InngestFunction } from "inngest";
import pino from "pino";
import { vi } from "vitest";
import { pool } from "@/server/core/db";
import { createEmbeddedEngine, type EmbeddedOptions } from "../embedded";
import type { EmbeddedEngine } from "../embedded/engine";

const silent = pino({ level: "silent" });

export interface RunRow {
  functionId: string;
  state: string;
  attempt: number;
  lapses: number;
  output: unknown;
  error: { name: string; message: string } | null;
  event: { id: string; name: string; data: Record<string, unknown>; ts: number };
  dueAt: Date;
  createdAt: Date;
}

/** An Inngest client with a unique id, so that test files and engines that share a database do not interfere. */
export class TestApp {
  private readonly engines: EmbeddedEngine[] = [];
  readonly client: Inngest;

  constructor(readonly id = `test-${randomUUID()}`) {
    this.client = new Inngest({
      id,
      isDev: true,
      checkpointing: false,
      logger: silent,
      fetch: (input, init) => this.engines.at(-1)!.fetch(input, init),
    });
  }

  /** Starts an engine. Events sent with the client go to the engine that was started last. */
  async start(functions: InngestFunction.Any[], options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedEngine> {
    const engine = await createEmbeddedEngine({
      client: this.client,
      functions,
      pool: pool(),
      signals: new Set(),
      log: silent,
      ...options,
    });
    this.engines.push(engine);
    await engine.start();
    return engine;
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.stop()));
  }

  /** The runs of this app, oldest first. */
  async runs(): Promise<RunRow[]> {
    const { rows } = await pool().query<RunRow>(
      `SELECT substr(function_id, length($1) + 2) AS "functionId", state, attempt, lapses, output, error, event,
         due_at AS "dueAt", created_at AS "createdAt"
       FROM engine_runs WHERE starts_with(function_id, $1) ORDER BY id`,
      [this.id],
    );
    return rows;
  }

  /** Waits until `check` returns true for the app's runs. */
  async until(check: (runs: RunRow[]) => boolean, timeout = 20_000): Promise<RunRow[]> {
    return vi.waitFor(
      async () => {
        const runs = await this.runs();
        if (!check(runs)) throw new Error(`The runs are still otherwise: ${JSON.stringify(runs)}`);
        return runs;
      },
      { timeout, interval: 5 },
    );
  }

  /** Waits until the app has at least `count` runs and all of them have ended. */
  async ended(count: number, timeout?: number): Promise<RunRow[]> {
    return this.until(
      (runs) => runs.length >= count && runs.every((run) => run.state === "succeeded" || run.state === "failed"),
      timeout,
    );
  }
}

/** A clock that only the test moves. */
export class DrivenClock {
  constructor(private at = new Date("2026-03-01T12:00:00Z")) {}

  readonly now = (): Date => this.at;

  advance(ms: number): void {
    this.at = new Date(this.at.getTime() + ms);
  }

  set(time: string): void {
    this.at = new Date(time);
  }
}
