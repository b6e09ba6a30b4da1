import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses a change that a page of another site requests. The session cookie does not tell which page sent a request,
 * but browsers send the origin with every POST. Accepts the origin of PUBLIC_URL, and on a developer's machine each of
 * its loopback names. Ignores the Host header, because an attacker whose name points at this server chooses it.
 * @throws DomainError `cross_origin`
 */
export function refuseForeign(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== null && ownOrigins().includes(origin)) return;
  throw new DomainError(
    "cross_origin",
    `Changes are accepted from this console's own pages alone. Open it at ${env().PUBLIC_URL}.`,
  );
}

function ownOrigins(): string[] {
  const { origin, protocol, hostname, port } = new URL(env().PUBLIC_URL);
  return loopback.includes(hostname) ? loopback.map((name) => `${protocol}//${name}${port && `:${port}`}`) : [origin];
}
