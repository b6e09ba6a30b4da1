import { afterEach, beforeEach } from "vitest";
import type { Ctx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { sequenceBatch } from "@/server/consumers";
import { upsertSubject } from "@/server/subjects/upsert";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { Dispatcher } from "@/server/webhooks/dispatch/dispatcher";
import { listWebhookAttempts } from "@/server/webhooks/deliveries/list-attempts";
import { listEndpointDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { Listener } from "./listener";

/** One test's organisation, listener, dispatcher and driven clock. */
export class Stage {
  now = new Date();
  #subjects = 0;

  private constructor(
    readonly world: World,
    readonly listener: Listener,
    readonly dispatcher: Dispatcher,
  ) {}

  static async begin(): Promise<Stage> {
    // Deliveries of an earlier test must not be sent by this stage's clock.
    await sql(`DELETE FROM webhook_deliveries`);
    const clock = { read: () => new Date() };
    const stage = new Stage(await world(), await new Listener().start(), new Dispatcher(() => clock.read()));
    clock.read = () => stage.now;
    return stage;
  }

  get ctx(): Ctx {
    return this.world.at(this.now);
  }

  /** Registers an endpoint for subjects' events at a path of the listener. */
  endpoint(path = "/hooks", more: Partial<Parameters<typeof createWebhookEndpoint>[1]> = {}) {
    return createWebhookEndpoint(this.ctx, { url: this.listener.url(path), eventTypes: ["subject.*"], ...more });
  }

  /** Creates events and their deliveries. */
  async happen(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) await upsertSubject(this.ctx, { externalId: `s-${++this.#subjects}` });
    await this.sequence();
  }

  async sequence(): Promise<void> {
    while ((await sequenceBatch(500, this.now)).more);
  }

  /** Sends what is due now, and waits until every attempt has ended and is recorded. */
  async send(): Promise<void> {
    this.dispatcher.wake();
    await this.dispatcher.settled();
  }

  advance(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  async deliveries(endpointId: string) {
    return (await listEndpointDeliveries(this.ctx, { id: endpointId, limit: 100 })).data;
  }

  async attempts(deliveryId: string) {
    return (await listWebhookAttempts(this.ctx, { id: deliveryId, limit: 100 })).data;
  }

  async end(): Promise<void> {
    await this.listener.close();
    await this.dispatcher.stop({ graceMs: 1000 });
  }
}

/** Provides a new stage for each test of a file. */
export function useStage(): () => Stage {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.begin();
  });
  afterEach(() => stage.end());
  return () => stage;
}
