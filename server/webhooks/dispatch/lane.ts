import type { EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import type { Id } from "@/server/core/ids";
import type { Wanted } from "./claim";

/** Requests to one endpoint at a time: where it begins, at the most, and while it does not answer. */
const firstWindow = 16;
const maxWindow = 128;
const minWindow = 2;

/**
 * Requests of one organisation, to all its endpoints: from here on each of them gets few. Less than would crowd the
 * process (dispatcher.ts) even with few to each of as many endpoints as it may have, so that nobody narrows the lanes
 * of others.
 */
const shareOfOne = 500;

/** What an organisation has on its way. Its lanes have it in common. */
export class Share {
  inFlight = 0;
  lanes = 0;
}

/**
 * What this process has on its way to one endpoint. Each endpoint has requests of its own, so that one that hangs holds
 * up nobody else; one that does not answer gets few, and more again as it answers.
 */
export class Lane {
  #inFlight = 0;
  #window = firstWindow;
  #ready = false;
  /** Something became due since the claim that is under way began. */
  #hinted = false;
  #after: Wanted["after"] = null;

  constructor(
    private readonly endpoint: EndpointRef,
    private readonly share: Share,
  ) {}

  get orgId(): Id<"org"> {
    return this.endpoint.orgId;
  }

  /** There may be more to claim. */
  get ready(): boolean {
    return this.#ready;
  }

  hint(): void {
    this.#ready = true;
    this.#hinted = true;
  }

  /**
   * How many may be claimed now: none until a quarter of the window is free, since a claim of many costs little more
   * than one of few.
   * @param beside what the same claim takes for other endpoints of the organisation.
   */
  slots(crowded: boolean, beside = 0): number {
    if (!this.#ready) return 0;
    const window = crowded || this.share.inFlight + beside >= shareOfOne ? minWindow : this.#window;
    const free = window - this.#inFlight;
    return free >= Math.max(1, window / 4) ? free : 0;
  }

  /** For a claim, which goes on where the one before ended. */
  want(slots: number): Wanted {
    this.#hinted = false;
    return { ...this.endpoint, slots, after: this.#after };
  }

  /** What a claim gave. One that went on from another begins anew before it can say that nothing is left. */
  claimed(deliveries: { dueAt: Date; id: Id<"dlv"> }[], slots: number): void {
    this.#inFlight += deliveries.length;
    this.share.inFlight += deliveries.length;
    const last = deliveries.at(-1);
    if (deliveries.length < slots && !this.#after) this.#ready = this.#hinted;
    this.#after = deliveries.length === slots && last ? { dueAt: last.dueAt, id: last.id } : null;
  }

  /** @param answered an answer came, whatever it said. */
  ended(answered: boolean): void {
    this.#inFlight--;
    this.share.inFlight--;
    this.#window = answered ? Math.min(maxWindow, this.#window + 1) : minWindow;
  }

  /** Nothing would be lost by forgetting it. */
  get forgettable(): boolean {
    return this.#inFlight === 0 && !this.#ready && this.#window >= firstWindow;
  }
}
