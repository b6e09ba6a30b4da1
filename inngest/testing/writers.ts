/** A subject that a server said it had written. */
export interface Written {
  externalId: string;
  id: string;
}

/** An answer that says to try again later. */
export interface Refusal {
  status: number;
  contentType: string | null;
  retryAfter: string | null;
  code: string;
}

/**
 * Clients that create subjects one after the other, through the API of one server each, and repeat what was refused,
 * until they are told to stop.
 */
export class Writers {
  readonly written: Written[] = [];
  readonly refused: Refusal[] = [];
  readonly #clients: Promise<void>[];
  readonly #waiting = new Set<() => void>();
  #stopped = false;

  constructor(origins: string[], token: string) {
    this.#clients = origins.map((origin, client) => this.#write(origin, token, client));
    // Told by `stop`.
    for (const client of this.#clients) client.catch(() => undefined);
  }

  /** Resolves once `check` is true, which is asked after each answer. */
  async until(check: () => boolean): Promise<void> {
    while (!check()) await Promise.race([new Promise<void>((resolve) => this.#waiting.add(resolve)), ...this.#clients]);
  }

  /** Lets each client have its last subject written. */
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
