import type { Actor } from "@/server/core/context";
import type { ShareChannel } from "@/server/events/facts";
import type { Id } from "@/server/core/ids";

/** One verification of a credential, or one visit to its page. */
export interface VerificationEvent {
  orgId: Id<"org">;
  actor: Actor;
  /** A hash that distinguishes viewers without identifying them (viewer.ts). */
  viewer: string;
  type: "credential.verified" | "credential.verify_refused" | "credential.viewed" | "credential.shared";
  facts: {
    credentialId: string;
    code: string;
    result: "valid" | "invalid" | "indeterminate";
    state: string;
    reason: string | null;
    via: "public" | "api" | "page";
  };
  /** Of a share. */
  channel?: ShareChannel;
}

/** A coalesced event to write, and how many verifications or visits it counts. */
export interface Counted {
  event: VerificationEvent;
  count: number;
}

interface Window extends Counted {
  key: string;
  openedAt: number;
}

/** Equal verifications within this time become one event (contract section 8). */
export const windowMs = 60_000;
const capacity = 20_000;
const viewersPerCredential = 20;
const batchSize = 500; // events in one transaction
const crowd = "crowd";

/**
 * Coalesces the verification events of this process. The first event opens a window and is due at once; equal events
 * within 60 seconds are counted and due together when the window ends. The number of windows is limited, which bounds
 * memory and, since each window gives at most two events, the rate of writing. Beyond the limit of viewers of a
 * credential, or of windows in all, further viewers share one window per credential and outcome.
 */
export class VerificationEventBuffer {
  /** In the order of opening, which is also the order of closing. */
  private readonly windows = new Map<string, Window>();
  private readonly fresh = new Set<Window>();
  private readonly viewers = new Map<string, number>();
  private writing: Promise<void> = Promise.resolve();
  /** How many events were dropped for lack of room since the last takeLost(). */
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
    const outcome = `${facts.credentialId} ${type} ${facts.reason ?? ""} ${event.channel ?? facts.via} ${event.actor.id} `;
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

  /** Writes the first event of each window, and the rest of each window that has passed; or `everything`. */
  flush(now: number, everything = false): Promise<void> {
    const next = this.writing.then(() => this.writeDue(now, everything));
    this.writing = next.catch(() => undefined);
    return next;
  }

  /** Returns how many events were dropped for lack of room since the last call. */
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
        // The counts of the batch stay as they are, so that the next flush retries it.
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

  /** Closes a window. One that saw repeats is reopened, so that a steady stream is one event in 60 seconds. */
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

/** Groups windows into batches that are each written in one transaction: of one organisation and one actor. */
function batches(windows: Set<Window>): Window[][] {
  const groups = Map.groupBy(windows, ({ event }) => `${event.orgId} ${event.actor.id}`);
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / batchSize) }, (_, i) =>
      group.slice(i * batchSize, (i + 1) * batchSize),
    ),
  );
}
