import { sql } from "@/server/core/db";
import { hashToken } from "@/server/core/secrets";
import type { AuthenticatedClient } from "./authenticate-client";

/** A live access token of the calling client's organisation. */
export interface LiveToken {
  clientId: string;
  scopes: string[];
  issuedAt: Date;
  expiresAt: Date;
}

/**
 * Describes an access token (RFC 7662). Returns null for a token that does not work and for one of another
 * organisation.
 */
export async function introspectAccessToken(
  client: AuthenticatedClient,
  token: string,
  now: Date,
): Promise<LiveToken | null> {
  const [row] = await sql<LiveToken>(
    `SELECT c.client_id AS "clientId", t.scopes, t.created_at AS "issuedAt", t.expires_at AS "expiresAt"
     FROM access_tokens t JOIN oauth_clients c ON c.org_id = t.org_id AND c.id = t.client_ref
     JOIN organisations o ON o.id = t.org_id AND o.suspended_at IS NULL
     WHERE t.hash = $1 AND t.org_id = $2 AND t.revoked_at IS NULL AND t.expires_at > $3 AND c.revoked_at IS NULL`,
    [hashToken(token), client.orgId, now],
  );
  return row ?? null;
}
