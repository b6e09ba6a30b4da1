import type { Connection } from "./connection";
import type { Deadline } from "./deadline";

export interface PoolLimits {
  /** Connections of one lane to one origin; further requests wait in order, within their own deadline. */
  perOrigin: number;
  /** Idle connections in all; the one idle for longest is closed first. */
  idle: number;
  /** A connection older than this many milliseconds is not reused, so that changes of DNS take effect. */
  ageMs: number;
}

interface Waiter {
  open: () => Connection;
  grant: (connection: Connection) => void;
}

interface Origin {
  key: string;
  open: number;
  idle: Connection[];
  waiting: Set<Waiter>;
}

/**
 * Pools connections by origin and lane. Origins and lanes share only the limit of idle connections, so one that hangs
 * does not delay the others: many customers can have their endpoints at one host.
 */
export class ConnectionPool {
  readonly #origins = new Map<string, Origin>();
  readonly #originOf = new WeakMap<Connection, Origin>();
  /** Idle connections of all origins, the longest idle first. */
  readonly #idle = new Set<Connection>();
  #closed: (() => void) | null = null;

  constructor(private readonly limits: PoolLimits) {}

  /** Returns the most recently used idle connection, else a new one from `open`, else waits for the next free one. */
  acquire(origin: string, lane: string, open: () => Connection, deadline: Deadline): Connection | Promise<Connection> {
    if (this.#closed) throw new Error("Outgoing requests have been closed.");
    const state = this.#origin(`${origin} ${lane}`);
    const idle = state.idle.at(-1);
    if (idle) return this.#unpark(state, idle);
    if (state.open < this.limits.perOrigin) return this.#open(state, open);
    return new Promise((grant, reject) => {
      const waiter = { open, grant };
      state.waiting.add(waiter);
      deadline.onExpire((reason) => {
        if (state.waiting.delete(waiter)) reject(reason);
      });
    });
  }

  /** Returns a connection to the pool after a request. `reusable`: its answer was read to the end. */
  release(connection: Connection, reusable: boolean): void {
    const state = this.#originOf.get(connection)!;
    const keep = reusable && connection.alive && performance.now() - connection.openedAt < this.limits.ageMs;
    const [waiter] = state.waiting;
    if (waiter) {
      state.waiting.delete(waiter);
      waiter.grant(keep ? connection : this.#open(state, waiter.open));
    }
    if (!keep) this.#discard(state, connection);
    else if (!waiter) this.#park(state, connection);
  }

  /** Closes idle connections at once and resolves when the requests in flight have ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#closed = resolve;
      for (const connection of this.#idle) this.#discardIdle(connection);
      this.#endClose();
    });
  }

  #origin(key: string): Origin {
    let state = this.#origins.get(key);
    if (!state) this.#origins.set(key, (state = { key, open: 0, idle: [], waiting: new Set() }));
    return state;
  }

  #open(state: Origin, open: () => Connection): Connection {
    const connection = open();
    state.open += 1;
    this.#originOf.set(connection, state);
    connection.client.on("disconnect", () => {
      if (this.#idle.has(connection)) this.#discardIdle(connection);
    });
    return connection;
  }

  #park(state: Origin, connection: Connection): void {
    state.idle.push(connection);
    this.#idle.add(connection);
    const [longest] = this.#idle;
    if (longest && (this.#closed || this.#idle.size > this.limits.idle)) this.#discardIdle(longest);
  }

  #unpark(state: Origin, connection: Connection): Connection {
    state.idle.splice(state.idle.lastIndexOf(connection), 1);
    this.#idle.delete(connection);
    return connection;
  }

  #discardIdle(connection: Connection): void {
    const state = this.#originOf.get(connection)!;
    this.#discard(state, this.#unpark(state, connection));
  }

  #discard(state: Origin, connection: Connection): void {
    state.open -= 1;
    connection.destroy();
    if (state.open === 0) this.#origins.delete(state.key);
    this.#endClose();
  }

  #endClose(): void {
    if (this.#origins.size === 0) this.#closed?.();
  }
}
