import { randomUUID } from "node:crypto";
import { Inngest, type InngestFunction } from "inngest";
import pino from "pino";
import { pool } from "@/server/core/db";
import { createEmbeddedEngine, type EmbeddedOptions } from "../embedded";
import type { EmbeddedEngine } from "../embedded/engine";

const silent = pino({ level: process.env.ENGINE_LOG ?? "silent" });

/** A client with an id of its own, so that files and engines beside each other on one database never meet. */
export class TestApp {
  readonly id = `test-${randomUUID()}`;
  private engine: EmbeddedEngine | undefined;
  readonly client = new Inngest({
    id: this.id,
    isDev: true,
    checkpointing: false,
    logger: silent,
    fetch: (input, init) => this.engine!.fetch(input, init),
  });

  /** Starts an engine; what is sent with the client goes to the one started last. */
  async start(functions: InngestFunction.Any[], options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedEngine> {
    this.engine = await createEmbeddedEngine({ client: this.client, functions, pool: pool(), signals: new Set(), log: silent, ...options });
    await this.engine.start();
    return this.engine;
  }
}
