import { setImmediate as nextTurn } from "node:timers/promises";
import { newId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { withTimeout } from "@/server/core/within";
import { Alarm } from "@/server/reactions/alarm";
import { LeaseKeeper } from "@/server/reactions/lease-keeper";
import { attemptDelivery, type Attempt } from "./attempt";
import { claimDeliveries, type Claimed, type Wanted } from "./claim";
import { extendLeases, leaseMs } from "./delivery-leases";
import { dueEndpoints } from "./due";
import { Health } from "./health";
import type { EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import { Lanes } from "./lanes";
import { Recorder } from "./recorder";
import { Tally } from "./tally";

/** Requests in flight in this process: at crowdedAt each endpoint gets at most 2; at `most` nothing is claimed. */
const crowdedAt = 1000;
const most = 4000;
/** Ended attempts that may wait to be logged; while there are more, nothing is claimed. */
const maxBacklog = 2000;
/**
 * While there is work, look this often for endpoints that became due elsewhere, and spend at most lookShare of the time
 * on it.
 */
const lookEveryMs = 50;
const lookShare = 0.1;
const pauseMs = 1000;
/** Deliveries that begin in one turn of the event loop. */
const perTurn = 16;
/** Deliveries whose claim took longer than this are not sent, because too little of their lease is left. */
const sendWithinMs = leaseMs / 2;

/**
 * Sends due deliveries of all organisations: claims, sends and records them. Runs while there is work, with separate
 * limits for each endpoint, so that no endpoint waits for another that hangs. The sequencer wakes it with the endpoints
 * for which something became due; the engine wakes it for what became due with time.
 */
export class Dispatcher {
  readonly #lanes = new Lanes();
  readonly #sends = new Set<Promise<void>>();
  /** Writes of health and statistics that follow recorded attempts. */
  readonly #notes = new Set<Promise<void>>();
  readonly #health = new Health(() => this.clock());
  readonly #tally = new Tally();
  readonly #recorder = new Recorder(
    () => this.clock(),
    (attempts) => this.#recorded(attempts),
  );
  readonly #alarm: Alarm;
  readonly #leases: LeaseKeeper<Claimed>;
  #stopped = false;
  /**
   * Id of the next claim. A failed claim is retried under the same id, because it may have leased rows before its
   * answer was lost.
   */
  #claimId = newId("req");
  /** The limits of the process (`most`, `maxBacklog`) kept the last round from claiming. */
  #held = false;
  #lookWanted = false;
  #nextLookAt = 0;
  #loop: Promise<void> | undefined;

  /** @param clock the time by which deliveries are due, leased and signed. */
  constructor(private readonly clock: () => Date = () => new Date()) {
    this.#alarm = new Alarm(clock, () => this.wake());
    this.#leases = new LeaseKeeper<Claimed>(clock, leaseMs, extendLeases);
  }

  /** Starts to send what is due, to the given endpoints or to any. Does not wait. */
  wake(endpoints?: EndpointRef[]): void {
    if (endpoints) for (const endpoint of endpoints) this.#lanes.of(endpoint).hint();
    else this.#lookWanted = true;
    this.#run().catch(() => undefined);
  }

  /**
   * Wakes the dispatcher and waits until every due delivery is claimed or waits for a slot of its endpoint, at most
   * `withinMs`. Throws if claiming fails.
   */
  async drain({ withinMs }: { withinMs: number }): Promise<void> {
    this.#lookWanted = true;
    await withTimeout(withinMs, this.#run());
  }

  /** Waits until nothing is being claimed, sent or recorded. */
  async settled(): Promise<void> {
    while (this.#loop || this.#sends.size > 0 || this.#recorder.writing || this.#notes.size > 0) {
      await Promise.allSettled([this.#loop, this.#recorder.writing, ...this.#sends, ...this.#notes]);
    }
  }

  /**
   * Stops claiming and waits for requests in flight, at most `graceMs`. Those left keep their lease and are sent again
   * by another dispatcher when it ends.
   */
  async stop({ graceMs }: { graceMs: number }): Promise<void> {
    this.#stopped = true;
    this.#alarm.clear();
    await withTimeout(graceMs, this.settled());
    this.#leases.end();
  }

  #run(): Promise<void> {
    return (this.#loop ??= this.#work());
  }

  async #work(): Promise<void> {
    // Yield once, so that #work cannot end before #loop is set.
    await undefined;
    try {
      while (!this.#stopped) {
        const wanted = this.#want();
        const claimed = wanted.length > 0 && (await this.#claim(wanted));
        if (claimed) await this.#send(claimed, wanted);
        else if (wanted.length === 0 && !this.#lookWanted) return;
        if (this.#lookWanted || performance.now() > this.#nextLookAt) await this.#look();
      }
    } catch (error) {
      log().error({ err: error }, "webhook deliveries could not be claimed; trying again");
      this.#wakeIn(pauseMs);
      throw error;
    } finally {
      this.#loop = undefined;
    }
  }

  #want(): Wanted[] {
    this.#held = this.#recorder.backlog >= maxBacklog || this.#sends.size >= most;
    return this.#held ? [] : this.#lanes.want(this.#crowded);
  }

  /** Returns undefined if the claim took too long; the next claim has the same id and gets its deliveries again. */
  async #claim(wanted: Wanted[]): Promise<Claimed[] | undefined> {
    const from = this.clock();
    const claimed = await claimDeliveries(wanted, from, this.#claimId);
    if (this.clock().getTime() - from.getTime() > sendWithinMs) return undefined;
    this.#claimId = newId("req");
    this.#leases.hold(claimed, from);
    return claimed;
  }

  get #crowded(): boolean {
    return this.#sends.size >= crowdedAt;
  }

  async #look(): Promise<void> {
    this.#lookWanted = false;
    const from = performance.now();
    const now = this.clock();
    for (const endpoint of await dueEndpoints(now, this.#lanes.ready())) {
      if (endpoint.ready) this.#lanes.of(endpoint).hint();
      if (endpoint.nextLook && endpoint.nextLook >= now) this.#wakeAt(endpoint.nextLook);
    }
    const until = performance.now();
    this.#nextLookAt = until + Math.max(lookEveryMs, (until - from) / lookShare);
  }

  /** Begins to send, a few deliveries in each turn of the event loop, so that a claim of many delays no request. */
  async #send(claimed: Claimed[], wanted: Wanted[]): Promise<void> {
    const byEndpoint = Map.groupBy(claimed, (delivery) => delivery.endpointId);
    for (const want of wanted) {
      const own = byEndpoint.get(want.endpointId) ?? [];
      this.#lanes.of(want).claimed(own, want.slots);
      const rate = own[0]?.destination.rateLimit;
      if (rate) this.#wakeIn((own.length * 1000) / rate);
    }
    for (const [n, delivery] of claimed.entries()) {
      if (n > 0 && n % perTurn === 0) await nextTurn();
      this.#begin(delivery);
    }
  }

  #begin(delivery: Claimed): void {
    const send = attemptDelivery(delivery, this.clock).then((attempt) => {
      this.#sends.delete(send);
      this.#ended(attempt);
    });
    this.#sends.add(send);
  }

  #ended(attempt: Attempt): void {
    const lane = this.#lanes.of(attempt.delivery);
    lane.ended(attempt.statusCode !== null || attempt.outcome === "cancelled");
    this.#recorder.add(attempt);
    if (attempt.retryAt) this.#wakeAt(attempt.retryAt);
    if (this.#held || lane.slots(this.#crowded) > 0) this.#run().catch(() => undefined);
  }

  #recorded(attempts: Attempt[]): void {
    this.#leases.recorded(attempts.map(({ delivery }) => delivery));
    if (this.#held) this.#run().catch(() => undefined);
    this.#health.note(attempts);
    this.#tally.count(attempts);
    if ((this.#recorder.backlog > 0 || this.#sends.size > 0) && !this.#tally.isOld()) return;
    this.#note(this.#health.write());
    this.#note(this.#tally.write());
  }

  #note(written: Promise<void>): void {
    const note = written
      .catch((error: unknown) =>
        log().error({ err: error }, "the health or statistics of webhook endpoints could not be noted"),
      )
      .finally(() => this.#notes.delete(note));
    this.#notes.add(note);
  }

  #wakeIn(ms: number): void {
    this.#wakeAt(new Date(this.clock().getTime() + ms));
  }

  #wakeAt(at: Date): void {
    if (!this.#stopped) this.#alarm.set(at);
  }
}
