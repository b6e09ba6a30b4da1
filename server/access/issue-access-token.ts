import { transaction } from "@/server/core/transaction";
import { hashToken } from "@/server/core/secrets";
import { isForgettable } from "@/server/core/forgettable-token";
import type { AuthenticatedClient } from "./authenticate-client";
import { noteKeyUse } from "./last-used";
import { newAccessToken } from "./token-format";

export const tokenSeconds = 900;

/**
 * Resolves the `scope` parameter of a request (RFC 6749 section 3.3). Without it, returns all scopes of the client.
 * Returns null if it names a scope that the client does not have.
 */
export function grantScopes(client: AuthenticatedClient, requested: string | undefined): string[] | null {
  if (requested === undefined) return client.scopes;
  const wanted = [...new Set(requested.split(" ").filter(Boolean))];
  return wanted.length > 0 && wanted.every((scope) => client.scopes.includes(scope)) ? wanted : null;
}

/**
 * Issues an access token for 15 minutes. Stores only its hash, and deletes the client's expired tokens. Leaves no audit
 * entry; the client's last use shows it (decision 007).
 */
export async function issueAccessToken(client: AuthenticatedClient, scopes: string[], now: Date): Promise<string> {
  const token = newAccessToken();
  await transaction(async (tx) => {
    await tx.sql(
      `DELETE FROM access_tokens WHERE org_id = $1 AND client_ref = $2 AND expires_at <= $3 AND ${isForgettable}`,
      [client.orgId, client.id, now],
    );
    await tx.sql(
      `INSERT INTO access_tokens (hash, org_id, client_ref, scopes, expires_at, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
      [hashToken(token), client.orgId, client.id, scopes, new Date(now.getTime() + tokenSeconds * 1000), now],
    );
  });
  noteKeyUse("oauth_client", client.orgId, client.id, now);
  return token;
}
