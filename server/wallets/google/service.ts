import { readFileSync } from "node:fs";
import { env, type Env } from "@/server/core/env";
import { createOutbound, type Outbound, type OutboundRequest, type OutboundResult } from "@/server/outbound/outbound";
import { createResolver } from "@/server/outbound/resolve";

/** The URLs of Google's endpoints, or of their stand-ins in tests. Without a trailing slash. */
export interface GoogleService {
  tokenUrl: string;
  apiUrl: string;
  keysUrl: string;
  /** The path of a PEM file with certificate authorities to trust instead of Node's own. */
  ca?: string;
}

type Settings = Pick<Env, "GOOGLE_TOKEN_URL" | "GOOGLE_WALLET_URL" | "GOOGLE_WALLET_KEYS_URL" | "GOOGLE_CA">;

/** Reads the addresses of Google's endpoints from the configuration. */
export function googleService(configured: Settings = env()): GoogleService {
  const { GOOGLE_TOKEN_URL, GOOGLE_WALLET_URL, GOOGLE_WALLET_KEYS_URL, GOOGLE_CA } = configured;
  return {
    tokenUrl: GOOGLE_TOKEN_URL,
    apiUrl: GOOGLE_WALLET_URL.replace(/\/+$/, ""),
    keysUrl: GOOGLE_WALLET_KEYS_URL,
    ...(GOOGLE_CA !== undefined && { ca: GOOGLE_CA }),
  };
}

/** The timeout of a request in milliseconds, connection included. The lease of an update must be longer (update-passes.ts). */
const timeoutMs = 10_000;

/** Enough for a pass or a list of keys, the only answers that Google sends. */
const maxResponseBytes = 512 * 1024;

const clients = new Map<string, Outbound>();

/** Sends a request to Google through the guarded outbound client, which trusts the configured certificate authorities. */
export function askGoogle(
  { ca = "" }: GoogleService,
  request: Omit<OutboundRequest, "maxResponseBytes">,
): Promise<OutboundResult> {
  let client = clients.get(ca);
  if (!client) {
    const { OUTBOUND_ALLOW_CIDRS, OUTBOUND_ALLOW_HTTP, NODE_ENV } = env();
    client = createOutbound({
      resolve: createResolver(),
      allowCidrs: OUTBOUND_ALLOW_CIDRS,
      allowHttp: OUTBOUND_ALLOW_HTTP ?? NODE_ENV !== "production",
      ...(ca !== "" && { ca: readFileSync(ca, "utf8") }),
    });
    clients.set(ca, client);
  }
  return client.request({ ...request, maxResponseBytes, totalTimeoutMs: timeoutMs });
}

/** Waits for the requests in flight and closes all connections. */
export async function closeGoogle(): Promise<void> {
  const open = [...clients.values()];
  clients.clear();
  await Promise.all(open.map((client) => client.close()));
}
