import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { newId, type Id } from "@/server/core/ids";
import { hashToken } from "@/server/core/secrets";
import { newApiKey } from "./token-format";

/** A row of `api_keys` that is a token of a SCIM connection. */
export interface ConnectorKey {
  id: Id<"key">;
  connector_id: Id<"con">;
  last_four: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

const columns = "id, connector_id, last_four, created_at, last_used_at, expires_at";

/** Creates a key that belongs to a connection and has only the scope `scim`. Its secret is returned only here. */
export async function createConnectorKey(
  ctx: TxCtx,
  connectorId: Id<"con">,
  { name, expiresAt }: { name: string; expiresAt: Date | null },
): Promise<ConnectorKey & { secret: string }> {
  const secret = newApiKey();
  const [row] = await ctx.tx.sql<ConnectorKey>(
    `INSERT INTO api_keys (org_id, id, name, hash, last_four, scopes, created_by, created_at, expires_at, connector_id)
     VALUES ($1, $2, $3, $4, $5, '{scim}', $6, $7, $8, $9) RETURNING ${columns}`,
    [ctx.orgId, newId("key"), name, hashToken(secret), secret.slice(-4), ctx.actor, ctx.now, expiresAt, connectorId],
  );
  return { ...row!, secret };
}

/** The tokens of a connection that work, newest first. */
export const liveConnectorKeys = (ctx: Ctx, connectorId: Id<"con">): Promise<ConnectorKey[]> =>
  reading(ctx).sql<ConnectorKey>(
    `SELECT ${columns} FROM api_keys WHERE org_id = $1 AND connector_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) ORDER BY id DESC`,
    [ctx.orgId, connectorId, ctx.now],
  );

/** Revokes the tokens of a connection, or one of them. @returns how many */
export async function revokeConnectorKeys(ctx: TxCtx, connectorId: Id<"con">, only?: Id<"key">): Promise<number> {
  const rows = await ctx.tx.sql(
    `UPDATE api_keys SET revoked_at = $3 WHERE org_id = $1 AND connector_id = $2 AND revoked_at IS NULL AND ($4::uuid IS NULL OR id = $4) RETURNING id`,
    [ctx.orgId, connectorId, ctx.now, only ?? null],
  );
  return rows.length;
}
