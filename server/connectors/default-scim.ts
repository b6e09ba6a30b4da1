import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { insertConnector, newConnector } from "./insert";
import { connectorColumns, type ConnectorRow } from "./view";

/** Finds the SCIM connection for tokens that belong to no connection; undefined if it does not exist yet. */
export async function findDefaultScim(ctx: Ctx): Promise<ConnectorRow | undefined> {
  const [row] = await reading(ctx).sql<ConnectorRow>(
    `SELECT ${connectorColumns} FROM connectors WHERE org_id = $1 AND is_default AND deleted_at IS NULL`,
    [ctx.orgId],
  );
  return row;
}

/**
 * Creates the organisation's default SCIM connection (contract section 11) unless it exists. Called when a key or client
 * with the scope scim that belongs to no connection is first used, so it requires no other scope. Leaves an audit entry.
 */
export const makeDefaultScim = command({
  name: "connectors.make_default_scim",
  scope: "scim",
  input: z.strictObject({}),
  async run(ctx) {
    // Of concurrent first requests, one creates the connection and the others find it.
    await ctx.tx.sql(`SELECT 1 FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [ctx.orgId]);
    if (await findDefaultScim(ctx)) return;
    const id = newId("con");
    const input = newConnector.parse({ name: "Default SCIM connection", type: "scim" });
    await insertConnector(ctx, input, { id, sealed: null });
    await ctx.tx.sql(`UPDATE connectors SET is_default = true WHERE org_id = $1 AND id = $2`, [ctx.orgId, id]);
  },
});
