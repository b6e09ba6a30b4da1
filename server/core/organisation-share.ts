import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { DomainError } from "./errors";
import type { Id } from "./ids";
import { processState } from "./process-state";

/** How long a request waits for one of its organisation's connections. */
const waitMs = 10_000;

/** A transaction as its work sees it. It is over once its connection is back in the pool. */
export interface TransactionScope {
  isOpen: boolean;
}

interface Work {
  /** Absent for work that belongs to no organisation. */
  orgId?: Id<"org"> | undefined;
  /** The transaction around this work. It holds a connection, so waiting for a second one could be a deadlock. */
  transaction?: TransactionScope;
}

interface Share {
  held: number;
  waiting: Set<() => void>;
}

const { work, shares } = processState("organisation shares", () => ({
  work: new AsyncLocalStorage<Work>(),
  shares: new Map<Id<"org">, Share>(),
}));

/** Runs a request of an organisation. Its connections count against the organisation's share. */
export function actingFor<T>(orgId: Id<"org">, run: () => T): T {
  return work.run({ orgId }, run);
}

/** Runs the work of a transaction. If it needs another connection, it gets one without waiting for the share. */
export function inTransaction<T>(transaction: TransactionScope, run: () => T): T {
  return work.run({ orgId: work.getStore()?.orgId, transaction }, run);
}

/** Whether the caller runs inside a transaction that has not ended. */
export function isInTransaction(): boolean {
  return work.getStore()?.transaction?.isOpen === true;
}

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool of which one organisation holds at most `most` connections at once. Further requests of it wait in line, and
 * are refused with 429 after ten seconds. So a flood of slow queries of one organisation leaves connections for others.
 */
export class SharedPool extends pg.Pool {
  constructor(
    config: pg.PoolConfig,
    private readonly most: number,
  ) {
    super(config);
  }

  override connect = ((callback?: Callback) => {
    if (callback) return this.take(callback);
    return new Promise<pg.PoolClient>((resolve, reject) =>
      this.take((error, client) => (error ? reject(error) : resolve(client!))),
    );
  }) as pg.Pool["connect"];

  private take(callback: Callback): void {
    const orgId = work.getStore()?.orgId;
    if (orgId === undefined || isInTransaction()) return super.connect(callback);
    let share = shares.get(orgId);
    if (!share) shares.set(orgId, (share = { held: 0, waiting: new Set() }));
    if (share.held < this.most) return this.hold(orgId, share, callback);
    const { waiting } = share;
    const next = () => {
      clearTimeout(timer);
      waiting.delete(next);
      this.hold(orgId, share, callback);
    };
    const timer = setTimeout(() => {
      waiting.delete(next);
      callback(tooMany(this.most), undefined, () => undefined);
    }, waitMs);
    waiting.add(next);
  }

  private hold(orgId: Id<"org">, share: Share, callback: Callback): void {
    share.held++;
    super.connect((error, client, done) => {
      if (error || !client) {
        this.free(orgId, share);
        return callback(error, client, done);
      }
      // The pool sets a new release() on each client that it hands out.
      const release = client.release.bind(client);
      client.release = (broken) => {
        release(broken);
        this.free(orgId, share);
      };
      callback(undefined, client, client.release as (release?: unknown) => void);
    });
  }

  private free(orgId: Id<"org">, share: Share): void {
    share.held--;
    const [next] = share.waiting;
    if (next) next();
    else if (share.held === 0) shares.delete(orgId);
  }
}

function tooMany(most: number): DomainError {
  return new DomainError(
    "rate_limited",
    `Your organisation has ${most} queries under way, as many as it may at once, and none ended in time. Send fewer requests at once.`,
    { headers: { "retry-after": "1" } },
  );
}
