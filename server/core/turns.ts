import { DomainError } from "./errors";
import type { Id } from "./ids";

/** The caller whose work is done: an organisation, or an address. */
export type Caller = Id<"org"> | string;

export interface Bounds {
  /** The kind of work, for the refusal, e.g. "pictures are being read". */
  doing: string;
  /** How many are run at a time. */
  atOnce: number;
  /** How many one caller may have at once, including running ones. */
  each: number;
  /** How many may wait in total. */
  all: number;
  /** How long work waits at most. */
  waitMs: number;
}

interface Waiting {
  start(): void;
}

/**
 * Limits work that takes much memory or time: this process runs few at a time. Further work waits in a short queue, and
 * callers take turns, so a caller that sends much work delays only itself.
 */
export class Turns {
  private active = 0;
  private waits = 0;
  private readonly held = new Map<Caller, number>();
  /** Waiting work by caller, in the order of the callers' turns. */
  private readonly lines = new Map<Caller, Set<Waiting>>();

  constructor(private readonly bounds: Bounds) {}

  /** How many run and how many wait at the moment. */
  get counts(): { active: number; waiting: number } {
    return { active: this.active, waiting: this.waits };
  }

  /**
   * Waits for the caller's turn and runs the work.
   * @throws DomainError rate_limited if the caller has its share already; unavailable if the queue is full or too slow
   */
  async take<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const { doing, atOnce, each, all } = this.bounds;
    const held = this.held.get(caller) ?? 0;
    if (held >= each)
      throw new DomainError(
        "rate_limited",
        `${each} ${doing} for you, as many as may be at once. Send fewer at a time.`,
        {
          headers: { "retry-after": "1" },
        },
      );
    if (this.active >= atOnce && this.waits >= all) throw this.overloaded();
    this.held.set(caller, held + 1);
    try {
      await this.turnOf(caller);
      try {
        return await work();
      } finally {
        this.next();
      }
    } finally {
      const left = this.held.get(caller)! - 1;
      if (left === 0) this.held.delete(caller);
      else this.held.set(caller, left);
    }
  }

  private async turnOf(caller: Caller): Promise<void> {
    if (this.active < this.bounds.atOnce) {
      this.active++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const line = this.lines.get(caller) ?? new Set();
      this.lines.set(caller, line);
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
        if (line.size === 0) this.lines.delete(caller);
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
      this.active--;
      return;
    }
    const [caller, line] = first;
    // Move the caller to the end of the order, so that the others have their turns before its next one.
    this.lines.delete(caller);
    this.lines.set(caller, line);
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
