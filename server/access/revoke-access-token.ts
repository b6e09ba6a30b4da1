import { sql } from "@/server/core/db";
import { lookUp } from "@/server/core/look-up";
import { hashToken } from "@/server/core/secrets";
import type { AuthenticatedClient } from "./authenticate-client";

/**
 * Revokes an access token for its own client (RFC 7009): the next request with it gets a 401. An unknown token counts
 * as revoked.
 *
 * @returns false if the token belongs to another client; it is not revoked.
 */
export async function revokeAccessToken(client: AuthenticatedClient, token: string, now: Date): Promise<boolean> {
  const [row] = await lookUp<{ own: boolean }>(
    sql,
    `SELECT org_id = $2 AND client_ref = $3 AS own FROM access_tokens WHERE hash = $1`,
    [hashToken(token), client.orgId, client.id],
  );
  if (row && !row.own) return false;
  await sql(
    `UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $4) WHERE hash = $1 AND org_id = $2 AND client_ref = $3`,
    [hashToken(token), client.orgId, client.id, now],
  );
  return true;
}
