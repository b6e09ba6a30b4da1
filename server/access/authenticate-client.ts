import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { hashToken } from "@/server/core/secrets";

/** An OAuth client that authenticated with one of its secrets. */
export interface AuthenticatedClient {
  orgId: Id<"org">;
  id: Id<"ocl">;
  clientId: string;
  scopes: string[];
}

/**
 * Finds the client with this id and secret (RFC 6749 section 2.3.1).
 * Returns null if there is none, if the client or the secret was ended, or if its organisation is suspended.
 */
export async function authenticateClient(
  clientId: string,
  secret: string,
  now: Date,
): Promise<AuthenticatedClient | null> {
  const [client] = await lookUp<AuthenticatedClient>(
    sql,
    `SELECT c.org_id AS "orgId", c.id, c.client_id AS "clientId", c.scopes
     FROM oauth_clients c JOIN organisations o ON o.id = c.org_id AND o.suspended_at IS NULL JOIN oauth_client_secrets s ON s.org_id = c.org_id AND s.client_ref = c.id
     WHERE c.client_id = $1 AND s.hash = $2 AND c.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > $3)`,
    [clientId, hashToken(secret), now],
  );
  return client ?? null;
}
