import type { Caller } from "../turns";

/** How long a caller has the last rank after one of its jobs was killed; each further one doubles the time. */
const firstMs = 10_000;
const lastMs = 10 * 60_000;
/** Beyond this number, the caller that offended longest ago is forgotten. */
const maxCallers = 1_000;

/** Callers whose jobs recently had to be killed. */
export class Offenders {
  private readonly known = new Map<Caller, { ms: number; until: number }>();

  has(caller: Caller, now = Date.now()): boolean {
    return (this.known.get(caller)?.until ?? 0) > now;
  }

  /** A caller without an offence for as long as its last penalty starts again at the first penalty. */
  add(caller: Caller, now = Date.now()): void {
    const before = this.known.get(caller);
    const ms = before && now < before.until + before.ms ? Math.min(2 * before.ms, lastMs) : firstMs;
    this.known.delete(caller);
    this.known.set(caller, { ms, until: now + ms });
    const [oldest] = this.known.keys();
    if (this.known.size > maxCallers) this.known.delete(oldest!);
  }
}
