import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** Set only by our server; a value sent by a client is removed. See fromThisMachine. */
const directHeader = "x-bonafide-direct";

/**
 * Headers that most proxies add. They show that a request comes from elsewhere although its peer is on this machine.
 */
const ofProxies = /^(x-forwarded-.*|forwarded|via|x-real-ip)$/;

/**
 * Replaces X-Forwarded-For by the one trusted address: the peer's, or the one that the nearest `trustedHops` proxies
 * reported. What a client sends in this header itself is not trusted. Also marks requests that come from this machine
 * without a sign of a proxy on it.
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

/** Returns the client's address; server/serve.ts, or the host, puts the one trusted address first. */
export function clientAddress({ headers }: { headers: Headers }): string {
  return headers.get("x-forwarded-for")?.split(",")[0]?.trim() || "unknown";
}

/**
 * Whether a process on this machine sent the request, whatever TRUST_PROXY says; also true for a proxy on this machine
 * that adds no header. Reliable only behind server/serve.ts.
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
