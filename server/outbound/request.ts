import type { Socket } from "node:net";
import { env } from "@/server/core/env";
import { type Outbound, type OutboundRequest, type OutboundResult, createOutbound } from "./outbound";
import { createResolver } from "./resolve";

export { OutboundFailure, type OutboundErrorClass } from "./failure";
export type { OutboundRequest, OutboundResult } from "./outbound";

let client: Outbound | undefined;

function outbound(): Outbound {
  const { OUTBOUND_ALLOW_CIDRS, OUTBOUND_ALLOW_HTTP, NODE_ENV } = env();
  return (client ??= createOutbound({
    resolve: createResolver(),
    allowCidrs: OUTBOUND_ALLOW_CIDRS,
    allowHttp: OUTBOUND_ALLOW_HTTP ?? NODE_ENV !== "production",
  }));
}

/**
 * Sends a request to a destination that a user chose: webhooks, pulls, did:web, status lists, images (contract section
 * 10). Private and special addresses are refused in every spelling, after DNS and on the connected socket; redirects
 * are not followed; bytes and time are limited. Resolves with `ok: false` for any failure of the network or the peer.
 */
export function outboundRequest(request: OutboundRequest): Promise<OutboundResult> {
  return outbound().request(request);
}

/** Says in one sentence what is wrong with a URL, for validation at registration; null if nothing is. */
export function checkOutboundUrl(url: string): string | null {
  return outbound().urlProblem(url);
}

/**
 * Opens a connection to a host that a user chose, for another protocol than HTTP (SFTP), by the same rules for
 * addresses. @throws OutboundFailure, or the signal's reason
 */
export function outboundConnect(to: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  return outbound().connect(to, signal);
}

/** Says in one sentence what is wrong with a host and a port, for validation; null if nothing is. */
export function checkOutboundHost(to: { host: string; port: number }): string | null {
  return outbound().hostProblem(to);
}

/** Waits for the requests in flight and closes all connections. */
export async function closeOutbound(): Promise<void> {
  const closing = client;
  client = undefined;
  await closing?.close();
}
