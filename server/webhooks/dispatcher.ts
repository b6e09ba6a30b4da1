import { log } from "@/server/core/log";
import { attemptDelivery, type Attempt } from "./attempt";
import { claimDeliveries, type Claimed, type Wanted } from "./claim";
import { dueEndpoints } from "./due";
import { Health } from "./health";
import { Lane } from "./lane";
import { Recorder } from "./recorder";
import { Tally } from "./tally";

export interface EndpointRef {
  orgId: string;
  endpointId: string;
}

/** Requests in flight: from here on each endpoint gets few, and none beyond the most. */
const crowdedAt = 1000;
const most = 4000;
/** Rows of one claim, so that none takes long. */
const claimSize = 256;
/** Ended attempts that may wait to be logged; beyond, nothing is claimed. */
const maxBacklog = 2000;
/** While there is work, endpoints that became due elsewhere are found this soon, and looking takes no more than this share of the time. */
const lookEveryMs = 50;
const lookShare = 0.1;
const longestSleepMs = 60_000;
const pauseMs = 1000;

/**
 * Sends what is due, of all organisations: claims, sends, logs. It holds the requests in flight of this process, each endpoint's
 * apart, and goes on by itself while there is work, so that none waits for another that hangs. Others wake it: the sequencer with
 * the endpoints that something became due for, the engine with what is due by the clock.
 */
export class Dispatcher {
  readonly #lanes = new Map<string, Lane>();
  readonly #sends = new Set<Promise<void>>();
  readonly #health = new Health();
  readonly #tally = new Tally();
  readonly #recorder = new Recorder((attempts) => this.#recorded(attempts));
  #inFlight = 0;
  #stopped = false;
  /** Something could be claimed but for the limits of the whole process. */
  #held = false;
  #lookWanted = false;
  #nextLookAt = 0;
  #loop: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAt = Infinity;

  /** @param clock what is due, leased and signed goes by this clock. */
  constructor(private readonly clock: () => Date = () => new Date()) {}

  /** Begins to send what is due: to the endpoints given, or wherever something is. Does not wait. */
  wake(endpoints?: EndpointRef[]): void {
    if (endpoints) for (const endpoint of endpoints) this.#lane(endpoint).ready = true;
    else this.#lookWanted = true;
    this.#run().catch(() => undefined);
  }

  /** Wakes, and waits until all that is due is claimed or waits for a slot of its own endpoint, `withinMs` at the longest. Throws where it cannot claim. */
  async drain({ withinMs }: { withinMs: number }): Promise<void> {
    this.#lookWanted = true;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([this.#run(), timeout]).finally(() => clearTimeout(timer));
  }

  /** Waits until nothing is claimed, sent or logged. */
  async settled(): Promise<void> {
    while (this.#loop || this.#sends.size > 0 || this.#recorder.writing) {
      await Promise.allSettled([this.#loop, this.#recorder.writing, ...this.#sends]);
    }
  }

  /** Claims nothing more, and waits for what is in flight, `graceMs` at the longest. What is left stays leased, and is sent anew when its lease has ended. */
  async stop({ graceMs }: { graceMs: number }): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([this.settled(), grace]).finally(() => clearTimeout(timer));
  }

  /** Requests in flight in this process. */
  get inFlight(): number {
    return this.#inFlight;
  }

  #run(): Promise<void> {
    return (this.#loop ??= this.#work());
  }

  async #work(): Promise<void> {
    // So that the end cannot come before #loop is set.
    await undefined;
    try {
      while (!this.#stopped) {
        const wanted = this.#claimable();
        if (wanted.length > 0) this.#send(await claimDeliveries(wanted, this.clock()), wanted);
        else if (!this.#lookWanted) return;
        if (this.#lookWanted || performance.now() > this.#nextLookAt) await this.#look();
      }
    } catch (error) {
      log().error({ err: error }, "webhook deliveries could not be claimed; trying again");
      this.#wakeAt(new Date(this.clock().getTime() + pauseMs));
      throw error;
    } finally {
      this.#loop = undefined;
    }
  }

  /** Endpoints with free slots, and how many; in turns, should there be more of them than one claim holds. */
  #claimable(): (Wanted & { lane: Lane })[] {
    this.#held = this.#recorder.backlog >= maxBacklog || this.#inFlight >= most;
    if (this.#held) return [];
    const wanted: (Wanted & { lane: Lane })[] = [];
    let left = claimSize;
    for (const [key, lane] of this.#lanes) {
      const slots = lane.ready ? Math.min(lane.slots(this.#inFlight >= crowdedAt), left) : 0;
      if (slots > 0) wanted.push({ lane, orgId: lane.orgId, endpointId: lane.endpointId, after: lane.after, slots });
      else if (lane.forgettable) this.#lanes.delete(key);
      if ((left -= slots) <= 0) break;
    }
    for (const { lane } of wanted) this.#toTheEnd(lane);
    return wanted;
  }

  #toTheEnd(lane: Lane): void {
    this.#lanes.delete(lane.endpointId);
    this.#lanes.set(lane.endpointId, lane);
  }

  async #look(): Promise<void> {
    this.#lookWanted = false;
    const now = this.clock();
    const from = performance.now();
    const known = [...this.#lanes.values()].filter((lane) => lane.ready).map((lane) => lane.endpointId);
    for (const endpoint of await dueEndpoints(now, known)) {
      if (endpoint.ready) this.#lane(endpoint).ready = true;
      if (endpoint.nextLook && endpoint.nextLook > now) this.#wakeAt(endpoint.nextLook);
    }
    const until = performance.now();
    this.#nextLookAt = until + Math.max(lookEveryMs, (until - from) / lookShare);
  }

  #send(claimed: Claimed[], wanted: { lane: Lane; slots: number }[]): void {
    const counts = Map.groupBy(claimed, (delivery) => delivery.endpointId);
    for (const { lane, slots } of wanted) {
      const own = counts.get(lane.endpointId) ?? [];
      lane.claimed(own.at(-1), own.length, slots);
      const rate = own[0]?.destination.rateLimit;
      if (rate) this.#wakeAt(new Date(this.clock().getTime() + (own.length * 1000) / rate));
      for (const delivery of own) this.#begin(lane, delivery);
    }
  }

  #begin(lane: Lane, delivery: Claimed): void {
    lane.inFlight++;
    this.#inFlight++;
    const send = attemptDelivery(delivery, this.clock).then((attempt) => {
      this.#sends.delete(send);
      this.#ended(lane, attempt);
    });
    this.#sends.add(send);
  }

  #ended(lane: Lane, attempt: Attempt): void {
    this.#inFlight--;
    lane.ended(attempt.statusCode !== null || attempt.outcome === "cancelled");
    this.#recorder.add(attempt);
    if (attempt.retryAt) this.#wakeAt(attempt.retryAt);
    if (this.#held || (lane.ready && lane.slots(this.#inFlight >= crowdedAt) > 0)) this.#run().catch(() => undefined);
  }

  async #recorded(attempts: Attempt[]): Promise<void> {
    if (this.#held) this.#run().catch(() => undefined);
    this.#tally.count(attempts);
    await this.#health.note(attempts);
    if ((this.#recorder.backlog === 0 && this.#inFlight === 0) || this.#tally.isOld()) await this.#tally.write();
  }

  #lane({ orgId, endpointId }: EndpointRef): Lane {
    let lane = this.#lanes.get(endpointId);
    if (!lane) this.#lanes.set(endpointId, (lane = new Lane(orgId, endpointId)));
    return lane;
  }

  #wakeAt(at: Date): void {
    if (this.#stopped || at.getTime() >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at.getTime();
    const wait = Math.min(longestSleepMs, Math.max(0, at.getTime() - this.clock().getTime()));
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity;
      this.wake();
    }, wait).unref();
  }
}
