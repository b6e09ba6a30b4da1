import { readFileSync } from "node:fs";
import { env, type Env } from "@/server/core/env";
import { createOutbound, type Outbound, type OutboundRequest, type OutboundResult } from "@/server/outbound/outbound";
import { createResolver } from "@/server/outbound/resolve";

/** Where Google's endpoints are, or what stands in for them in tests. Without a slash at the end. */
export interface GoogleService {
  tokenUrl: string;
  apiUrl: string;
  keysUrl: string;
  /** A file with certificate authorities instead of Node's own, as PEM. */
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

/** For a connection and an answer, in milliseconds. The lease of an update is longer (update-passes.ts). */
const timeoutMs = 10_000;

/** Google's answers are a pass or a list of keys. */
const maxResponseBytes = 512 * 1024;

const clients = new Map<string, Outbound>();

/** Sends a request to Google through a guarded client, which trusts the configured authorities. */
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
