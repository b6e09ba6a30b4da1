import type { Caller } from "../turns";

/** How long a caller comes last after one of its jobs was ended; each further one doubles it. */
const firstMs = 10_000;
const lastMs = 10 * 60_000;
/** Beyond so many, the one that offended longest ago is forgotten. */
const maxCallers = 1_000;

/** Callers whose jobs had to be ended lately. */
export class Offenders {
  private readonly known = new Map<Caller, { ms: number; until: number }>();

  has(caller: Caller, now = Date.now()): boolean {
    return (this.known.get(caller)?.until ?? 0) > now;
  }

  /** A caller that was good for as long as it came last begins anew. */
  add(caller: Caller, now = Date.now()): void {
    const before = this.known.get(caller);
    const ms = before && now < before.until + before.ms ? Math.min(2 * before.ms, lastMs) : firstMs;
    this.known.delete(caller);
    this.known.set(caller, { ms, until: now + ms });
    const [oldest] = this.known.keys();
    if (this.known.size > maxCallers) this.known.delete(oldest!);
  }
}
