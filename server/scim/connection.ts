import { connectorOfActor } from "@/server/access/connector-keys";
import { findDefaultScim, makeDefaultScim } from "@/server/connectors/default-scim";
import { loadConnector } from "@/server/connectors/load";
import type { ConnectorRow } from "@/server/connectors/view";
import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { readId, type Id } from "@/server/core/ids";
import { ScimError } from "./protocol/error";
import { noteConnection } from "./requests/effect";

/** A connector of type scim. */
export type Connection = ConnectorRow;

/**
 * The connection that the acting token belongs to; for one that belongs to none, the organisation's default connection,
 * which is made at its first use (docs/decisions/393).
 * @throws ScimError 403 while the connection is paused
 */
export async function connectionOf(ctx: Ctx): Promise<Connection> {
  const connectorId =
    ctx.actor.type === "api_key" ? await connectorOfActor(ctx, readId("key", ctx.actor.id)) : undefined;
  const connection = connectorId ? await loadConnector(ctx, connectorId) : await defaultConnection(ctx);
  noteConnection(ctx, connection.id);
  if (connection.status === "paused")
    throw new ScimError(403, undefined, "The connection is paused and takes no changes. Resume it in the console.");
  return connection;
}

async function defaultConnection(ctx: Ctx): Promise<Connection> {
  const found = await findDefaultScim(ctx);
  if (found) return found;
  await makeDefaultScim(ctx, {});
  return (await findDefaultScim(ctx))!;
}

/**
 * A connector of type scim.
 * @throws DomainError not_found; conflict for one of another type
 */
export async function loadScimConnector(
  ctx: Ctx,
  id: Id<"con">,
  lock: Parameters<typeof loadConnector>[2] = "",
): Promise<Connection> {
  const connector = await loadConnector(ctx, id, lock);
  if (connector.type === "scim") return connector;
  throw new DomainError(
    "conflict",
    "The connector takes files and has no tokens or staged removals. Make a connector of type scim for a directory.",
  );
}
