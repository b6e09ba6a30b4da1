import type { Actor } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { hashToken } from "@/server/core/secrets";
import type { Scope } from "@/server/core/scopes";
import { noteKeyUse } from "./last-used";
import { organisationSuspended } from "./suspended";
import { apiKeyPrefix, isWellFormedToken } from "./token-format";

/** The actor, organisation and scopes of a bearer token. */
export interface Principal {
  orgId: Id<"org">;
  actor: Actor;
  scopes: ReadonlySet<Scope>;
  /** The hash of the access token; undefined for an API key. */
  accessToken: string | undefined;
  /** The SCIM connection that the API key belongs to. */
  connectorId: Id<"con"> | undefined;
  /** The organisation's own limit of requests per minute and token; null for the default. */
  requestsPerMinute: number | null;
}

interface TokenRow {
  org_id: Id<"org">;
  id: Id<"key" | "ocl">;
  scopes: Scope[];
  requests_per_minute: number | null;
  suspended: boolean;
  connector_id: Id<"con"> | null;
}

const byKey = `
SELECT k.org_id, k.id, k.scopes, o.requests_per_minute, o.suspended_at IS NOT NULL AS suspended, k.connector_id FROM api_keys k JOIN organisations o ON o.id = k.org_id
WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`;

const byAccessToken = `
SELECT t.org_id, t.client_ref AS id, t.scopes, o.requests_per_minute, o.suspended_at IS NOT NULL AS suspended, NULL::uuid AS connector_id
FROM access_tokens t JOIN organisations o ON o.id = t.org_id
JOIN oauth_clients c ON c.org_id = t.org_id AND c.id = t.client_ref
WHERE t.hash = $1 AND t.revoked_at IS NULL AND t.expires_at > $2 AND c.revoked_at IS NULL`;

/**
 * Finds the principal of a request by its Authorization header (spec section 5). Runs for each request, so a revoked
 * key is refused from the next one on.
 *
 * @throws DomainError unauthenticated, invalid_token (401 with WWW-Authenticate as RFC 6750 section 3),
 * organisation_suspended (403).
 */
export async function authenticate(header: string | null, now: Date): Promise<Principal> {
  if (!header) {
    throw new DomainError(
      "unauthenticated",
      "Send an API key or an OAuth access token: Authorization: Bearer <TOKEN>.",
      {
        headers: { "www-authenticate": "Bearer" },
      },
    );
  }
  const token = /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
  const [scheme] = header.split(" ", 1);
  if (scheme && header.includes(" ") && scheme.toLowerCase() !== "bearer") {
    throw new DomainError(
      "invalid_token",
      "The Authorization header is of another kind. Send the API key or access token as a bearer token: Authorization: Bearer <TOKEN>.",
      {
        headers: { "www-authenticate": 'Bearer error="invalid_token"' },
      },
    );
  }
  if (!token || !isWellFormedToken(token)) throw invalidToken();
  const isKey = token.startsWith(apiKeyPrefix);
  const hash = hashToken(token);
  const [row] = await lookUp<TokenRow>(sql, isKey ? byKey : byAccessToken, [hash, now]);
  if (!row) throw invalidToken();
  if (row.suspended) throw organisationSuspended();
  noteKeyUse(isKey ? "api_key" : "oauth_client", row.org_id, row.id, now);
  return {
    orgId: row.org_id,
    actor: { type: isKey ? "api_key" : "oauth_client", id: publicId(isKey ? "key" : "ocl", row.id) },
    scopes: new Set(row.scopes),
    accessToken: isKey ? undefined : hash,
    connectorId: row.connector_id ?? undefined,
    requestsPerMinute: row.requests_per_minute,
  };
}

function invalidToken(): DomainError {
  return new DomainError("invalid_token", "The token is unknown, expired, revoked or mistyped.", {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
}
