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

/** The ranks of callers: work of a later rank starts only while no work of an earlier rank waits. */
export const ranks = { first: 0, behind: 1, last: 2 } as const;
export type Rank = (typeof ranks)[keyof typeof ranks];

interface Line {
  /** Called when the work's turn may have come, because a caller can fall behind while its work waits. */
  rank(): Rank;
  waiting: Set<(rank: Rank) => void>;
}

/**
 * Limits work that takes much memory or time: this process runs few works at a time. Further work waits in a short
 * queue, and callers take turns, so a caller that sends much work delays only itself. Work of later ranks leaves one
 * place free if there are several, and half of the queue.
 */
export class Turns {
  private active = 0;
  private waits = 0;
  /** How many of the running works have a later rank than the first. */
  private activeBehind = 0;
  private waitsBehind = 0;
  private readonly held = new Map<Caller, number>();
  /** Waiting work by caller, in the order of the callers' turns. */
  private readonly lines = new Map<Caller, Line>();

  constructor(private readonly bounds: Bounds) {}

  /** How many run and how many wait at the moment. */
  get counts(): { active: number; waiting: number } {
    return { active: this.active, waiting: this.waits };
  }

  /**
   * Waits for the caller's turn and runs the work.
   *
   * @param rankOf returns the caller's present rank; of callers of the last rank, one work runs at a time
   * @throws DomainError rate_limited if the caller has its share already; unavailable if the queue is full or too slow
   */
  async take<T>(caller: Caller, work: () => Promise<T>, rankOf: () => Rank = () => ranks.first): Promise<T> {
    const { doing, all } = this.bounds;
    const rank = rankOf();
    const each = rank === ranks.last ? 1 : this.bounds.each;
    const held = this.held.get(caller) ?? 0;
    if (held >= each)
      throw new DomainError(
        "rate_limited",
        `${each} ${doing} for you, as many as may be at once. Send fewer at a time.`,
        {
          headers: { "retry-after": "1" },
        },
      );
    if (!this.mayStart(rank) && (this.waits >= all || (rank > ranks.first && this.waitsBehind >= all / 2)))
      throw this.overloaded();
    this.held.set(caller, held + 1);
    try {
      const started = await this.turnOf(caller, rankOf);
      try {
        return await work();
      } finally {
        this.leavePlace(started);
      }
    } finally {
      const left = this.held.get(caller)! - 1;
      if (left === 0) this.held.delete(caller);
      else this.held.set(caller, left);
    }
  }

  private mayStart(rank: Rank): boolean {
    const { atOnce } = this.bounds;
    return this.active < atOnce && (rank === ranks.first || this.activeBehind < Math.max(1, atOnce - 1));
  }

  private takePlace(rank: Rank): void {
    this.active++;
    if (rank > ranks.first) this.activeBehind++;
  }

  private leavePlace(rank: Rank): void {
    this.active--;
    if (rank > ranks.first) this.activeBehind--;
    this.next();
  }

  /** @returns the rank with which it took a place */
  private async turnOf(caller: Caller, rankOf: () => Rank): Promise<Rank> {
    const rank = rankOf();
    if (this.mayStart(rank)) {
      this.takePlace(rank);
      return rank;
    }
    return new Promise<Rank>((resolve, reject) => {
      const line = this.lines.get(caller) ?? { rank: rankOf, waiting: new Set() };
      this.lines.set(caller, line);
      const count = (change: 1 | -1) => {
        this.waits += change;
        if (rank > ranks.first) this.waitsBehind += change;
      };
      const start = (now: Rank) => {
        leave();
        this.takePlace(now);
        resolve(now);
      };
      const leave = () => {
        clearTimeout(timer);
        count(-1);
        line.waiting.delete(start);
        if (line.waiting.size === 0) this.lines.delete(caller);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.overloaded());
      }, this.bounds.waitMs);
      count(1);
      line.waiting.add(start);
    });
  }

  private next(): void {
    let found: { caller: Caller; line: Line; rank: Rank } | undefined;
    for (const [caller, line] of this.lines) {
      const rank = line.rank();
      if (!found || rank < found.rank) found = { caller, line, rank };
    }
    if (!found || !this.mayStart(found.rank)) return;
    const { caller, line, rank } = found;
    // Move the caller to the end of the order, so that the others have their turns before its next one.
    this.lines.delete(caller);
    this.lines.set(caller, line);
    const [start] = line.waiting;
    start!(rank);
  }

  private overloaded(): DomainError {
    return new DomainError(
      "unavailable",
      `More ${this.bounds.doing} than this server can do at once. Try again shortly.`,
      { headers: { "retry-after": "5" } },
    );
  }
}
