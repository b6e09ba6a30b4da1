import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { addressBlock } from "@/server/core/address-block";
import { DomainError } from "@/server/core/errors";

interface Bounds {
  /** Connections of one address, and unfinished requests of one address. 0 is off. */
  perAddress: number;
  /** TRUST_PROXY: where there are proxies, connections are theirs and only requests are counted. */
  trustedHops: number;
}

/**
 * Bounds what one address (of IPv6, one /64) holds open, so that it cannot take all connections of the server, for
 * example by bodies that it never finishes. Connections above the bound are closed at once.
 * @returns what admits a request, after believeAddress. It throws DomainError rate_limited.
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
    // A client that breaks off, and a socket that is cut, close the response too.
    response.once("close", requests.add(key));
    if (requests.of(key) <= perAddress) return;
    throw new DomainError(
      "rate_limited",
      `More than ${perAddress} requests of this address are under way. Finish some of them first.`,
      { headers: { "retry-after": "1" } },
    );
  };
}

/** Counts by key what is open. */
class Tally {
  readonly #open = new Map<string, number>();

  of(key: string): number {
    return this.#open.get(key) ?? 0;
  }

  /** @returns what takes it back. */
  add(key: string): () => void {
    this.#open.set(key, this.of(key) + 1);
    return () => {
      const left = this.of(key) - 1;
      if (left > 0) this.#open.set(key, left);
      else this.#open.delete(key);
    };
  }
}
