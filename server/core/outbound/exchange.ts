import type { Dispatcher } from "undici";
import type { Connection } from "./connection";
import type { Deadline } from "./deadline";
import { type OutboundFailure, exchangeFailure } from "./failure";

export interface Answer {
  /** Null when there was no status line, complete or not. */
  status: number | null;
  headers: Record<string, string>;
  body: Uint8Array;
  /** There was more than `maxBytes`; the rest was not read. */
  truncated: boolean;
  address: string | null;
  failure: OutboundFailure | null;
}

type Headers = Record<string, string | string[] | undefined>;

/**
 * One request and its answer on a connection. Whatever ends it early (a failure, the deadline, too many bytes) leaves the
 * connection unusable. Rejects with the caller's abort reason, and with undici's error for a request that cannot be sent.
 */
export function exchange(
  connection: Connection,
  request: Dispatcher.DispatchOptions,
  maxBytes: number,
  deadline: Deadline,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const reading = new Reading(connection, maxBytes, resolve, reject);
    deadline.onExpire((reason) => reading.fail(reason));
    if (!deadline.expired) connection.client.dispatch(request, reading);
  });
}
