import { serve } from "inngest/edge";
import { asBackground } from "@/server/core/db";
import type { Inngest, InngestFunction } from "inngest";
import type pg from "pg";
import type { Logger } from "pino";
import { EmbeddedEngine } from "./embedded/engine";
import { readRegistry } from "./embedded/registry";
import { openStore } from "./embedded/store";
import { Workers } from "./embedded/workers";

export interface EmbeddedOptions {
  client: Inngest.Any;
  functions: InngestFunction.Any[];
  pool: pg.Pool;
  /** Event names to coalesce: while one is queued, further ones are dropped (inngest/events.ts). */
  signals: ReadonlySet<string>;
  log: Logger;
  /** A clock that a test drives. Default: the database's clock. */
  now?: () => Date;
  /** Maximum number of runs of one function at a time in this process. */
  width?: number;
  leaseMs?: number;
  pollMs?: number;
  callMs?: number;
  drainMs?: number;
}

/**
 * Creates an engine that runs the functions in this process, on PostgreSQL alone.
 * The client must be in dev mode, and its `fetch` must be the engine's.
 *
 * @throws UnsupportedFunctions with the whole list, if functions use features that the engine does not support.
 */
export async function createEmbeddedEngine(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const { client, functions, pool, signals, log, now } = options;
  const { width = 10, leaseMs = 6000, pollMs = 1000, callMs = 15 * 60_000, drainMs = 10_000 } = options;
  const served = serve({ client, functions });
  const handler = (request: Request) => asBackground(() => served(request));
  const registry = await readRegistry(handler);
  const store = openStore(pool, now);
  const workers = new Workers({ store, registry, handler, log, width, leaseMs, callMs });
  return new EmbeddedEngine({ store, registry, workers, signals, log, leaseMs, pollMs, drainMs, purgeMs: 10 * 60_000 });
}
