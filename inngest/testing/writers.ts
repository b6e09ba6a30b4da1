/** A subject whose write a server acknowledged. */
export interface Written {
  externalId: string;
  id: string;
}

/** A response that is not a success, such as 503 with Retry-After. */
export interface Refusal {
  status: number;
  contentType: string | null;
  retryAfter: string | null;
  code: string;
}

/**
 * Clients, one per origin, that create subjects one after the other through the API. They repeat each refused request,
 * and continue until `stop`.
 */
export class Writers {
  readonly written: Written[] = [];
  readonly refused: Refusal[] = [];
  readonly #clients: Promise<void>[];
  readonly #waiting = new Set<() => void>();
  #stopped = false;

  constructor(origins: string[], token: string) {
    this.#clients = origins.map((origin, client) => this.#write(origin, token, client));
    // `stop` reports a rejection; until then it must not count as unhandled.
    for (const client of this.#clients) client.catch(() => undefined);
  }

  /** Resolves once `check` returns true. It is called after each answer. */
  async until(check: () => boolean): Promise<void> {
    while (!check()) await Promise.race([new Promise<void>((resolve) => this.#waiting.add(resolve)), ...this.#clients]);
  }

  /** Stops after each client's current request, and rejects if a client failed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #write(origin: string, token: string, client: number): Promise<void> {
    for (let n = 0; !this.#stopped; ) {
      const externalId = `${client}-${n}`;
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(`${origin}/v1/subjects`, {
        method: "PUT",
        headers,
        body: JSON.stringify({ externalId }),
      });
      const body = (await answer.json()) as { id: string; code: string };
      if (answer.ok) {
        this.written.push({ externalId, id: body.id });
        n++;
      } else {
        this.refused.push({
          status: answer.status,
          contentType: answer.headers.get("content-type"),
          retryAfter: answer.headers.get("retry-after"),
          code: body.code,
        });
      }
      this.#waiting.forEach((waiter) => waiter());
      this.#waiting.clear();
    }
  }
}
