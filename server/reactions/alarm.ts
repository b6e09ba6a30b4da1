const longestSleepMs = 60_000;
/** The shortest sleep, so that rows that become due within it are found together. */
const shortestSleepMs = 25;

/** Rings once, at the earliest of the times that it was set to. Does not keep the process alive. */
export class Alarm {
  #timer: NodeJS.Timeout | undefined;
  #at = Infinity;

  constructor(
    private readonly clock: () => Date,
    private readonly ring: () => void,
  ) {}

  set(at: Date): void {
    if (at.getTime() >= this.#at) return;
    this.clear();
    this.#at = at.getTime();
    const wait = Math.min(longestSleepMs, Math.max(shortestSleepMs, at.getTime() - this.clock().getTime()));
    this.#timer = setTimeout(() => {
      this.#at = Infinity;
      this.ring();
    }, wait).unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#at = Infinity;
  }
}
