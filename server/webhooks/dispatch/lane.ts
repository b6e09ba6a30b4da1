import type { EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import type { Id } from "@/server/core/ids";
import type { Wanted } from "./claim";

/** Window of requests in flight to one endpoint: at first, at most, and after a request without an answer. */
const firstWindow = 16;
const maxWindow = 128;
const minWindow = 2;

/**
 * Above this many requests in flight, an organisation is throttled to minWindow per endpoint. Even with minWindow for
 * as many endpoints as it may have on top, it stays below crowdedAt (dispatcher.ts), so no organisation narrows the
 * lanes of others.
 */
const shareOfOne = 500;

/** Requests in flight of one organisation; its lanes share this object. */
export class Share {
  inFlight = 0;
  lanes = 0;
}

/**
 * The requests in flight from this process to one endpoint. Each endpoint has its own window, so that one that hangs
 * delays no other. The window drops to minWindow after a request without an answer and grows by 1 with each answer.
 */
export class Lane {
  #inFlight = 0;
  #window = firstWindow;
  #ready = false;
  /** Something became due after the current claim began. */
  #hinted = false;
  #after: Wanted["after"] = null;

  constructor(
    private readonly endpoint: EndpointRef,
    private readonly share: Share,
  ) {}

  get orgId(): Id<"org"> {
    return this.endpoint.orgId;
  }

  /** Whether there may be more to claim. */
  get ready(): boolean {
    return this.#ready;
  }

  hint(): void {
    this.#ready = true;
    this.#hinted = true;
  }

  /**
   * Returns how many deliveries may be claimed now. Returns 0 until a quarter of the window is free, because a claim of
   * many costs little more than a claim of few.
   * @param beside what the same claim takes for other endpoints of the organisation.
   */
  slots(crowded: boolean, beside = 0): number {
    if (!this.#ready) return 0;
    const window = crowded || this.share.inFlight + beside >= shareOfOne ? minWindow : this.#window;
    const free = window - this.#inFlight;
    return free >= Math.max(1, window / 4) ? free : 0;
  }

  /** Begins a claim, which continues where the previous one ended. */
  want(slots: number): Wanted {
    this.#hinted = false;
    return { ...this.endpoint, slots, after: this.#after };
  }

  /**
   * Applies the result of a claim. Fewer deliveries than slots mean that nothing is left; but if the claim continued
   * after an earlier one, the next claim first starts again from the oldest.
   */
  claimed(deliveries: { dueAt: Date; id: Id<"dlv"> }[], slots: number): void {
    this.#inFlight += deliveries.length;
    this.share.inFlight += deliveries.length;
    const last = deliveries.at(-1);
    if (deliveries.length < slots && !this.#after) this.#ready = this.#hinted;
    this.#after = deliveries.length === slots && last ? { dueAt: last.dueAt, id: last.id } : null;
  }

  /** @param answered whether any response came, whatever its status. */
  ended(answered: boolean): void {
    this.#inFlight--;
    this.share.inFlight--;
    this.#window = answered ? Math.min(maxWindow, this.#window + 1) : minWindow;
  }

  /** Whether the lane holds nothing that a new lane would not have. */
  get forgettable(): boolean {
    return this.#inFlight === 0 && !this.#ready && this.#window >= firstWindow;
  }
}
