import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** Ours alone: who writes it without our server in between is not believed, see fromThisMachine. */
const directHeader = "x-bonafide-direct";

/** What most proxies add, by which a request is known to come from elsewhere although its peer is on this machine. */
const ofProxies = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/**
 * Leaves in X-Forwarded-For the one address that is believed: the peer's, or what the nearest `trustedHops` proxies
 * reported. A header that a client sends itself is worth nothing. Notes, too, what came from this machine
 * and shows no sign of a proxy on it.
 */
export function believeAddress(request: IncomingMessage, trustedHops: number): void {
  const peer = request.socket.remoteAddress ?? "unknown";
  const proxied = Object.keys(request.headers).some((name) => ofProxies.test(name));
  const reported = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((a) => a.trim())
    .filter(Boolean);
  const chain = [...reported, peer];
  const address = chain[Math.max(0, chain.length - 1 - trustedHops)]!.replace(/^::ffff:(?=\d+\.)/, "");
  replaceHeader(request, "x-forwarded-for", address);
  replaceHeader(request, directHeader, !proxied && isLoopback(peer) ? "1" : null);
}

/** server/serve.ts, or the host, puts the one believed address first. */
export function clientAddress({ headers }: { headers: Headers }): string {
  return headers.get("x-forwarded-for")?.split(",")[0]?.trim() || "unknown";
}

/**
 * True for what a process on this machine asked for, whatever TRUST_PROXY says: also where that is a proxy that adds no
 * header. To be believed behind server/serve.ts alone.
 */
export function fromThisMachine({ headers }: { headers: Headers }): boolean {
  return headers.get(directHeader) === "1";
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

function replaceHeader(request: IncomingMessage, name: string, value: string | null): void {
  delete request.headers[name];
  const raw = request.rawHeaders;
  for (let i = raw.length - 2; i >= 0; i -= 2) if (raw[i]!.toLowerCase() === name) raw.splice(i, 2);
  if (value === null) return;
  request.headers[name] = value;
  raw.push(name, value);
}
