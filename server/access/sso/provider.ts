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

/** Maximum size of a response. Discovery documents, key sets and token responses are a few kilobytes. */
const maxResponseBytes = 256 * 1024;

/** How long a discovery document is used before it is read again, in ms. */
const discoveredForMs = 60 * 60_000;

let discovered: { at: number; configuration: Promise<Configuration> } | undefined;

/** The URL to which the identity provider sends people back; register it there as the client's redirect URI. */
export const redirectUri = () => `${env().PUBLIC_URL}/api/sso/callback`;

/**
 * Returns the identity provider that the operator configured (OpenID Connect Discovery 1.0).
 *
 * @throws DomainError not_found if none is configured.
 */
export async function provider(now: Date): Promise<Configuration> {
  if (discovered && now.getTime() - discovered.at < discoveredForMs) return discovered.configuration;
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID) throw new DomainError("not_found", "Single sign-on is not configured.");
  const issuer = new URL(OIDC_ISSUER);
  const configuration = discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
    [customFetch]: guardedFetch,
    // enableNonRepudiationChecks verifies the signature of ID tokens with the provider's key set; by default
    // openid-client trusts the TLS connection. allowInsecureRequests leaves the decision about plain http to the
    // guarded client: it refuses in production unless OUTBOUND_ALLOW_HTTP is set.
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
  });
  discovered = { at: now.getTime(), configuration };
  // Retry discovery at the next sign-in if it failed.
  configuration.catch(() => (discovered = undefined));
  return configuration;
}

/**
 * `fetch` through the guarded client, so that a discovery document cannot direct our requests to private addresses that
 * the operator did not allow.
 *
 * @throws TypeError if no complete response came, as fetch does
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
