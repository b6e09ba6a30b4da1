/** Requests to one endpoint at a time: where it begins, at the most, and while it does not answer. */
const firstWindow = 16;
const maxWindow = 128;
const minWindow = 2;

/**
 * What this process has on its way to one endpoint. Each endpoint has requests of its own, so that one that hangs holds up
 * nobody else; one that does not answer gets few, and more again as it answers.
 */
export class Lane {
  inFlight = 0;
  /** There may be more to claim. */
  ready = false;
  /** The last that was claimed, where the next claim goes on; null to begin with the oldest. */
  after: { dueAt: Date; id: string } | null = null;
  #window = firstWindow;

  constructor(
    readonly orgId: string,
    readonly endpointId: string,
  ) {}

  /** How many may be claimed now: none until a quarter of the window is free, since a claim of many costs little more than one of few. */
  slots(crowded: boolean): number {
    const window = crowded ? minWindow : this.#window;
    const free = window - this.inFlight;
    return free >= Math.max(1, window / 4) ? free : 0;
  }

  /** What a claim gave, of `slots` that it could. One that went on from another begins anew before it can say that nothing is left. */
  claimed(last: { dueAt: Date; id: string } | undefined, count: number, slots: number): void {
    if (count < slots && !this.after) this.ready = false;
    this.after = count < slots || !last ? null : { dueAt: last.dueAt, id: last.id };
  }

  /** @param answered an answer came, whatever it said. */
  ended(answered: boolean): void {
    this.inFlight--;
    this.#window = answered ? Math.min(maxWindow, this.#window + 1) : minWindow;
  }

  /** Nothing would be lost by forgetting it. */
  get forgettable(): boolean {
    return this.inFlight === 0 && !this.ready && this.#window >= firstWindow;
  }
}
