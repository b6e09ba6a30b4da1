import { OutboundFailure } from "./failure";

/** Expires when a request's time is over or its caller aborts. `onExpire` sets the one listener to notify. */
export class Deadline {
  expired = false;
  #reason: unknown;
  #listener: (reason: unknown) => void = () => {};
  readonly #timer: NodeJS.Timeout;

  constructor(
    ms: number,
    private readonly signal?: AbortSignal,
  ) {
    this.#timer = setTimeout(() => {
      this.#expire(new OutboundFailure("timeout", `There was no complete answer within ${ms / 1000} s.`));
    }, ms);
    signal?.addEventListener("abort", this.#abort);
  }

  onExpire(listener: (reason: unknown) => void): void {
    this.#listener = listener;
    if (this.expired) listener(this.#reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.signal?.removeEventListener("abort", this.#abort);
  }

  readonly #abort = () => this.#expire(this.signal?.reason);

  #expire(reason: unknown): void {
    this.expired = true;
    this.#reason = reason;
    this.#listener(reason);
  }
}
