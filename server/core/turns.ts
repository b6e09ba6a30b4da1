import { DomainError } from "./errors";
import type { Id } from "./ids";

interface Bounds {
  /** What is done, for the refusal, e.g. "pictures are being read". */
  doing: string;
  /** How many one organisation may have at once, the one at work included. */
  each: number;
  /** How many may wait in all. */
  all: number;
  /** How long one waits at the most. */
  waitMs: number;
}

interface Waiting {
  start(): void;
}

/**
 * Work of which this process does one at a time, because one alone takes much memory or time. Others wait in line, a
 * short one, and the organisations take turns: one that sends many waits for itself.
 */
export class Turns {
  private busy = false;
  private waits = 0;
  private readonly held = new Map<Id<"org">, number>();
  /** Organisations in the order in which they come next. */
  private readonly lines = new Map<Id<"org">, Set<Waiting>>();

  constructor(private readonly bounds: Bounds) {}

  /**
   * @throws DomainError rate_limited where the organisation has its share under way, unavailable where the line is full
   * or too slow.
   */
  async take<T>(orgId: Id<"org">, work: () => Promise<T>): Promise<T> {
    const { doing, each, all } = this.bounds;
    const held = this.held.get(orgId) ?? 0;
    if (held >= each)
      throw new DomainError(
        "rate_limited",
        `${each} ${doing} for your organisation, as many as may be at once. Send fewer at a time.`,
        { headers: { "retry-after": "1" } },
      );
    if (this.busy && this.waits >= all) throw this.overloaded();
    this.held.set(orgId, held + 1);
    try {
      await this.turnOf(orgId);
      try {
        return await work();
      } finally {
        this.next();
      }
    } finally {
      const left = this.held.get(orgId)! - 1;
      if (left === 0) this.held.delete(orgId);
      else this.held.set(orgId, left);
    }
  }

  private async turnOf(orgId: Id<"org">): Promise<void> {
    if (!this.busy) {
      this.busy = true;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const line = this.lines.get(orgId) ?? new Set();
      this.lines.set(orgId, line);
      const waiting = {
        start: () => {
          leave();
          resolve();
        },
      };
      const leave = () => {
        clearTimeout(timer);
        this.waits--;
        line.delete(waiting);
        if (line.size === 0) this.lines.delete(orgId);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.overloaded());
      }, this.bounds.waitMs);
      this.waits++;
      line.add(waiting);
    });
  }

  private next(): void {
    const [first] = this.lines;
    if (!first) {
      this.busy = false;
      return;
    }
    const [orgId, line] = first;
    // To the end of the order, so that the organisation behind it comes before its next one.
    this.lines.delete(orgId);
    this.lines.set(orgId, line);
    const [waiting] = line;
    waiting!.start();
  }

  private overloaded(): DomainError {
    return new DomainError(
      "unavailable",
      `More ${this.bounds.doing} than this server can do at once. Try again shortly.`,
      { headers: { "retry-after": "5" } },
    );
  }
}
