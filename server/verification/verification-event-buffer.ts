import type { Actor } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** One look at a credential by somebody: a verification, or a visit to its page. */
export interface VerificationEvent {
  orgId: Id<"org">;
  actor: Actor;
  /** Who looked, in a form that tells two viewers apart and names neither (viewer.ts). */
  viewer: string;
  type: "credential.verified" | "credential.verify_refused" | "credential.viewed";
  facts: {
    credentialId: string;
    code: string;
    result: "valid" | "invalid" | "indeterminate";
    state: string;
    reason: string | null;
    via: "public" | "api" | "page";
  };
}

/** What is to be written: a event, and how many like it stand behind it. */
export interface Counted {
  event: VerificationEvent;
  count: number;
}

interface Window extends Counted {
  key: string;
  openedAt: number;
}

/** For how long verifications that are alike become one event (contract section 8). */
export const windowMs = 60_000;
const capacity = 20_000;
const viewersPerCredential = 20;
const batchSize = 500; // events in one transaction
const crowd = "crowd";

/**
 * Verification events of this process, coalesced: the first of a kind is due at once, those like it within 60 seconds together at
 * the end. The number of windows bounds memory and, since each gives at most two events, the rate of writing: a flood
 * of viewers of one credential, or of any credentials at all, falls together into one window a credential and outcome.
 */
export class VerificationEventBuffer {
  /** In the order of opening, which is that of closing. */
  private readonly windows = new Map<string, Window>();
  private readonly fresh = new Set<Window>();
  private readonly viewers = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();
  /** Verification events that found no room since the last report. */
  private lost = 0;

  constructor(
    private readonly write: (batch: Counted[]) => Promise<void>,
    private readonly limits = { capacity, viewersPerCredential },
  ) {}

  get isEmpty(): boolean {
    return this.windows.size === 0;
  }

  note(event: VerificationEvent, now: number): void {
    const { type, facts } = event;
    const outcome = `${facts.credentialId} ${type} ${facts.reason ?? ""} ${facts.via} ${event.actor.id} `;
    const own = this.windows.get(outcome + event.viewer);
    if (own) {
      own.count++;
      return;
    }
    const hasRoom =
      this.windows.size < this.limits.capacity &&
      (this.viewers.get(facts.credentialId) ?? 0) < this.limits.viewersPerCredential;
    this.open(outcome + (hasRoom ? event.viewer : crowd), event, now);
  }

  private open(key: string, event: VerificationEvent, now: number): void {
    const present = this.windows.get(key);
    if (present) {
      present.count++;
      return;
    }
    if (this.windows.size >= 2 * this.limits.capacity) {
      this.lost++;
      return;
    }
    const window = { key, event, count: 1, openedAt: now };
    this.windows.set(key, window);
    this.fresh.add(window);
    const { credentialId } = event.facts;
    this.viewers.set(credentialId, (this.viewers.get(credentialId) ?? 0) + 1);
  }

  /** Writes what is due: the first of each window, and the rest of each window that has passed. With `everything`, all of it. */
  flush(now: number, everything = false): Promise<void> {
    const next = this.writing.then(() => this.writeDue(now, everything));
    this.writing = next.catch(() => undefined);
    return next;
  }

  /** How many verifications were not kept for want of room since this was last asked. */
  takeLost(): number {
    const { lost } = this;
    this.lost = 0;
    return lost;
  }

  private async writeDue(now: number, everything: boolean): Promise<void> {
    const passed = this.passed(now);
    const due = new Set(
      [...this.fresh, ...(everything ? this.windows.values() : passed)].filter((window) => window.count > 0),
    );
    const failures: unknown[] = [];
    for (const batch of batches(due)) {
      const counted = batch.map(({ event, count }) => ({ event, count }));
      try {
        await this.write(counted);
      } catch (error) {
        // Its counts stay as they are, and the next flush tries again.
        failures.push(error);
        continue;
      }
      counted.forEach(({ count }, i) => (batch[i]!.count -= count));
      for (const window of batch) this.fresh.delete(window);
    }
    for (const window of passed) this.close(window, now, due.has(window));
    if (failures.length > 0) throw failures[0];
  }

  private passed(now: number): Window[] {
    const passed: Window[] = [];
    for (const window of this.windows.values()) {
      if (window.openedAt + windowMs > now) break;
      passed.push(window);
    }
    return passed;
  }

  /** A window that saw repeats goes on as a new one, so that a steady stream is one event in 60 seconds. */
  private close(window: Window, now: number, sawRepeats: boolean): void {
    this.windows.delete(window.key);
    if (sawRepeats || window.count > 0) {
      window.openedAt = now;
      this.windows.set(window.key, window);
      return;
    }
    const { credentialId } = window.event.facts;
    const others = this.viewers.get(credentialId)! - 1;
    if (others > 0) this.viewers.set(credentialId, others);
    else this.viewers.delete(credentialId);
  }
}

/** Batches of one organisation and actor each: what is written in one transaction. */
function batches(windows: Set<Window>): Window[][] {
  const groups = Map.groupBy(windows, ({ event }) => `${event.orgId} ${event.actor.id}`);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / batchSize) }, (_, i) =>
      group.slice(i * batchSize, (i + 1) * batchSize),
    ),
  );
}
