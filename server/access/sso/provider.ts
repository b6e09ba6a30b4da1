import {
  allowInsecureRequests,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type Configuration,
  type CustomFetch,
} from "openid-client";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { outboundRequest, type OutboundRequest } from "@/server/outbound/request";

/** Discovery documents, key sets and token answers are a few kilobytes. */
const maxResponseBytes = 256 * 1024;

/** How long a discovery document is used before it is read again. */
const discoveredForMs = 60 * 60_000;

let discovered: { at: number; configuration: Promise<Configuration> } | undefined;

/** Where the identity provider sends people back to; registered there as the client's redirect URI. */
export const redirectUri = () => `${env().PUBLIC_URL}/api/sso/callback`;

/**
 * The identity provider that the operator configured (OpenID Connect Discovery 1.0). @throws DomainError not_found
 * where there is none.
 */
export async function provider(now: Date): Promise<Configuration> {
  if (discovered && now.getTime() - discovered.at < discoveredForMs) return discovered.configuration;
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) throw new DomainError("not_found", "Single sign-on is not configured.");
  const issuer = new URL(OIDC_ISSUER);
  const configuration = discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
    [customFetch]: guardedFetch,
    // Checks the signature of ID tokens with the provider's key set. Without it, openid-client trusts the TLS
    // connection alone. The guarded client decides about plain http: off in production unless OUTBOUND_ALLOW_HTTP is
    // set.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
  });
  discovered = { at: now.getTime(), configuration };
  // A provider that could not be reached is asked again at the next sign-in.
  configuration.catch(() => (discovered = undefined));
  return configuration;
}

/**
 * fetch over the guarded client: a discovery document cannot lead our requests to private addresses that the operator
 * did not allow.
 * @throws TypeError where no whole answer came, as fetch does
 */
const guardedFetch: CustomFetch = async (url, { method, headers, body, signal }) => {
  const sent =
    body instanceof URLSearchParams ? body.toString() : ((body as string | Uint8Array | null | undefined) ?? undefined);
  const answer = await outboundRequest({
    url,
    method: method as NonNullable<OutboundRequest["method"]>,
    headers: Object.fromEntries(new Headers(headers)),
    ...(sent !== undefined && { body: sent }),
    ...(signal && { signal }),
    maxResponseBytes,
  });
  if (answer.status === null || answer.truncated)
    throw new TypeError(answer.errorDetail ?? "The identity provider's answer is too large.");
  const { "content-length": _, ...received } = answer.headers;
  return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: received,
  });
};
