import type { IncomingMessage } from "node:http";

/**
 * Leaves in X-Forwarded-For the one address that is believed: the peer's, or what the nearest `trustedHops` proxies
 * reported. A header that a client sends itself is worth nothing.
 */
export function believeAddress(request: IncomingMessage, trustedHops: number): void {
  const reported = String(request.headers["x-forwarded-for"] ?? "").split(",").map((a) => a.trim()).filter(Boolean);
  const chain = [...reported, request.socket.remoteAddress ?? "unknown"];
  const address = chain[Math.max(0, chain.length - 1 - trustedHops)]!.replace(/^::ffff:(?=\d+\.)/, "");
  request.headers["x-forwarded-for"] = address;
  const raw = request.rawHeaders;
  for (let i = raw.length - 2; i >= 0; i -= 2) if (raw[i]!.toLowerCase() === "x-forwarded-for") raw.splice(i, 2);
  raw.push("x-forwarded-for", address);
}

/** server/serve.ts, or the host, puts the one believed address first. */
export function clientAddress({ headers }: { headers: Headers }): string {
  return headers.get("x-forwarded-for")?.split(",")[0]?.trim() || "unknown";
}
