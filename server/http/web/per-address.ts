import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { addressBlock } from "@/server/core/address-block";
import { DomainError } from "@/server/core/errors";

interface Bounds {
  /** Most connections, and most unfinished requests, of one address. 0 turns both limits off. */
  perAddress: number;
  /** TRUST_PROXY: behind proxies the connections are theirs, so only requests are counted. */
  trustedHops: number;
}

/**
 * Limits what one address (for IPv6, one /64) holds open, so that it cannot take all connections of the server, for
 * example with bodies that it never finishes. Connections above the limit are closed at once.
 * @returns a function that admits a request, to call after believeAddress; it throws DomainError `rate_limited`.
 */
export function boundPerAddress(
  server: Server,
  { perAddress, trustedHops }: Bounds,
): (request: IncomingMessage, response: ServerResponse) => void {
  if (perAddress === 0) return () => undefined;
  const connections = new Tally();
  const requests = new Tally();
  if (trustedHops === 0) {
    server.prependListener("connection", (socket) => {
      const key = addressBlock(socket.remoteAddress ?? "unknown");
      socket.once("close", connections.add(key));
      if (connections.of(key) > perAddress) socket.destroy();
    });
  }
  return (request, response) => {
    const key = addressBlock(String(request.headers["x-forwarded-for"]));
    // A client that disconnects, and a socket that is cut, close the response too.
    response.once("close", requests.add(key));
    if (requests.of(key) <= perAddress) return;
    throw new DomainError(
      "rate_limited",
      `More than ${perAddress} requests of this address are under way. Finish some of them first.`,
      { headers: { "retry-after": "1" } },
    );
  };
}

/** Counts what is open, by key. */
class Tally {
  readonly #open = new Map<string, number>();

  of(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  /** @returns a function that undoes the addition. */
  add(key: string): () => void {
    this.#open.set(key, this.of(key) + 1);
    return () => {
      const left = this.of(key) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}
