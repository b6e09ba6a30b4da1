import { type Dispatcher, errors } from "undici";
import type { Connection } from "./connection";
import type { Deadline } from "./deadline";
import { OutboundFailure, exchangeFailure } from "./failure";

export interface OutboundResponse {
  /** Null if no complete final response head arrived. */
  status: number | null;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Whether there was more than `maxBytes`; the rest was not read. */
  truncated: boolean;
  address: string | null;
  failure: OutboundFailure | null;
}

/**
 * Sends one request on a connection and reads its answer. If it ends early (a failure, the deadline, too many bytes),
 * the connection cannot be reused. Rejects with the caller's abort reason, or with undici's error for a request that
 * cannot be sent.
 */
export function exchange(
  connection: Connection,
  request: Dispatcher.DispatchOptions,
  maxBytes: number,
  deadline: Deadline,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const reading = new Reading(connection, maxBytes, resolve, reject);
    deadline.onExpire((reason) => reading.fail(reason));
    if (!deadline.expired) connection.client.dispatch(request, reading);
  });
}

class Reading implements Dispatcher.DispatchHandler {
  #status: number | null = null;
  #headers: Record<string, string> = {};
  #address: string | null = null;
  readonly #chunks: Buffer[] = [];
  #room: number;

  constructor(
    private readonly connection: Connection,
    maxBytes: number,
    private readonly resolve: (answer: OutboundResponse) => void,
    private readonly reject: (reason: unknown) => void,
  ) {
    this.#room = maxBytes;
  }

  onRequestStart(): void {
    this.#address = this.connection.address;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length > this.#room) {
      this.#chunks.push(chunk.subarray(0, this.#room));
      this.#settle(null, true);
    } else {
      this.#chunks.push(chunk);
      this.#room -= chunk.length;
    }
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const unsendable = error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError;
    if (unsendable) this.reject(error);
    else this.#settle(exchangeFailure(error));
  }

  fail(reason: unknown): void {
    if (reason instanceof OutboundFailure) this.#settle(reason);
    else this.reject(reason);
  }

  #settle(failure: OutboundFailure | null, truncated = false): void {
    this.resolve({
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks),
      truncated,
      address: failure?.address ?? this.#address,
      failure,
    });
  }
}
