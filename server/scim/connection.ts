import { findDefaultScim, makeDefaultScim } from "@/server/connectors/default-scim";
import { loadConnector } from "@/server/connectors/load";
import { connectorColumns, type ConnectorRow } from "@/server/connectors/view";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, readId, type Id } from "@/server/core/ids";
import { ScimError } from "./protocol/error";
import { noteConnection } from "./requests/effect";

/** A connector of type scim. */
export type Connection = ConnectorRow;

/**
 * Returns the connection of the acting token; for a token without one, the organisation's default connection, which is
 * created at its first use (docs/decisions/393).
 *
 * @throws ScimError 403 for a change while the connection is paused. Reading still works, so that a directory whose
 * connection test reads does not report a failure.
 */
export async function connectionOf(ctx: Ctx): Promise<Connection> {
  const own = ctx.actor.type === "api_key" ? await connectionOfKey(ctx, readId("key", ctx.actor.id)) : undefined;
  const connection = own ?? (await defaultConnection(ctx));
  noteConnection(ctx, connection.id);
  // Commands run in a transaction, queries do not.
  if (connection.status === "paused" && "tx" in ctx)
    throw new ScimError(403, undefined, "The connection is paused and takes no changes. Resume it in the console.");
  return connection;
}

/**
 * Loads the connection of a key in one statement, because every request of a directory needs it.
 *
 * @throws DomainError not_found for a connection that was deleted after the key was authenticated, because the key must
 * not get the default one
 */
async function connectionOfKey(ctx: Ctx, keyId: Id<"key">): Promise<Connection | undefined> {
  const [row] = await reading(ctx).sql<Omit<Connection, "id"> & { id: Id<"con"> | null; key_of: Id<"con"> | null }>(
    `SELECT c.*, k.connector_id AS key_of FROM api_keys k
     LEFT JOIN LATERAL (SELECT ${connectorColumns} FROM connectors WHERE org_id = $1 AND id = k.connector_id AND deleted_at IS NULL OFFSET 0) c ON true
     WHERE k.org_id = $1 AND k.id = $2`,
    [ctx.orgId, keyId],
  );
  if (!row?.key_of) return undefined;
  const { key_of, id, ...connection } = row;
  if (id === null) throw notFound("connector", publicId("con", key_of));
  return { id, ...connection };
}

async function defaultConnection(ctx: Ctx): Promise<Connection> {
  const found = await findDefaultScim(ctx);
  if (found) return found;
  await makeDefaultScim(ctx, {});
  return (await findDefaultScim(ctx))!;
}

/**
 * A connector of type scim.
 * @throws DomainError not_found; connector_type for one of another type
 */
export async function loadScimConnector(
  ctx: Ctx,
  id: Id<"con">,
  lock: Parameters<typeof loadConnector>[2] = "",
): Promise<Connection> {
  const connector = await loadConnector(ctx, id, lock);
  if (connector.type === "scim") return connector;
  throw new DomainError(
    "connector_type",
    "The connector takes files and has no tokens or staged removals. Make a connector of type scim for a directory.",
  );
}
