import { readTicks, takeTick } from "./enqueue";
import type { Registered, Registry } from "./registry";
import type { Schedule } from "./schedule";
import type { Store } from "./store";

interface Entry {
  f: Registered;
  schedule: Schedule;
  next: Date | null;
}

/**
 * Schedules the crons of all functions. Ticks missed while no process ran are made up for by one run, for the last of
 * them.
 */
export class Scheduler {
  private entries: Entry[] = [];

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
  ) {}

  async start(): Promise<void> {
    for (const f of this.registry.values()) {
      if (f.schedules.length === 0) continue;
      const ticks = await readTicks(this.store, f);
      this.entries.push(
        ...f.schedules.map((schedule) => ({
          f,
          schedule,
          next: schedule.next(ticks.get(schedule.cron) ?? new Date()),
        })),
      );
    }
  }

  /** Takes the ticks that are due. */
  async tick(now: Date): Promise<void> {
    for (const entry of this.entries) {
      if (entry.next === null || entry.next > now) continue;
      const tick = entry.schedule.latest(now) ?? entry.next;
      await takeTick(this.store, entry.f, entry.schedule, tick);
      entry.next = entry.schedule.next(tick);
    }
  }

  /** Milliseconds until the next tick; null if there is none. */
  nextInMs(now: Date): number | null {
    const times = this.entries.flatMap(({ next }) => (next ? [next.getTime() - now.getTime()] : []));
    return times.length === 0 ? null : Math.max(0, Math.min(...times));
  }
}
