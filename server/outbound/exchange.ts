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

/** Where the answer goes: see OutboundRequest. */
export interface Taking {
  maxResponseBytes: number;
  sink?: ((chunk: Uint8Array, headers: Record<string, string>) => Promise<void>) | undefined;
}

/**
 * Sends one request on a connection and reads its answer. If it ends early (a failure, the deadline, too many bytes),
 * the connection cannot be reused. Rejects with the caller's abort reason, or with undici's error for a request that
 * cannot be sent.
 */
export function exchange(
  connection: Connection,
  message: Dispatcher.DispatchOptions,
  taking: Taking,
  deadline: Deadline,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const reading = new Reading(connection, taking, resolve, reject);
    deadline.onExpire((reason) => reading.fail(reason));
    if (!deadline.expired) connection.client.dispatch(message, reading);
  });
}

class Reading implements Dispatcher.DispatchHandler {
  #status: number | null = null;
  #headers: Record<string, string> = {};
  #address: string | null = null;
  readonly #chunks: Buffer[] = [];
  #room: number;
  /** Settles when the sink has taken all pieces so far. */
  #given: Promise<void> = Promise.resolve();
  /** The request has its outcome; its connection is given up, or free for the next. */
  #isOver = false;

  constructor(
    private readonly connection: Connection,
    private readonly taking: Taking,
    private readonly resolve: (answer: OutboundResponse) => void,
    private readonly reject: (reason: unknown) => void,
  ) {
    this.#room = taking.maxResponseBytes;
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

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // After each pause undici passes an empty piece; pausing for that one would cause the next.
    if (chunk.length === 0) return;
    if (this.taking.sink && this.#status! >= 200 && this.#status! < 300) this.#give(controller, chunk);
    else if (chunk.length > this.#room) {
      this.#chunks.push(chunk.subarray(0, this.#room));
      this.#finish(null, true);
    } else {
      this.#chunks.push(chunk);
      this.#room -= chunk.length;
    }
  }

  onResponseEnd(): void {
    void this.#given.then(() => this.#finish(null));
  }

  /** Passes a piece to the sink; the peer waits meanwhile. */
  #give(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    controller.pause();
    this.#given = this.#given
      .then(() => this.taking.sink!(chunk, this.#headers))
      .then(
        () => {
          // Do not resume a connection that was given up, because its answer may never end.
          if (!this.#isOver && !controller.aborted) controller.resume();
        },
        (error: unknown) => this.#refuse(error),
      )
      // The connection may have ended meanwhile; the code that ended it has reported why.
      .catch(() => undefined);
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const unsendable = error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError;
    if (unsendable) this.#refuse(error);
    else this.#finish(exchangeFailure(error));
  }

  fail(reason: unknown): void {
    if (reason instanceof OutboundFailure) this.#finish(reason);
    else this.#refuse(reason);
  }

  #refuse(reason: unknown): void {
    this.#isOver = true;
    this.reject(reason);
  }

  #finish(failure: OutboundFailure | null, truncated = false): void {
    this.#isOver = true;
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
