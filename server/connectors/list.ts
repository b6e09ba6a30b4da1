import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { connectorColumns, connectorView, type ConnectorRow } from "./view";

/** Lists connectors, newest first. */
export const listConnectors = query({
  name: "connectors.list",
  scope: "connectors:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "connectors"],
      fetch: ({ after, take, skip }) =>
        sql<ConnectorRow>(
          `SELECT ${connectorColumns} FROM connectors WHERE org_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3 OFFSET $4`,
          [ctx.orgId, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(`SELECT count(*) AS n FROM connectors WHERE org_id = $1 AND deleted_at IS NULL`, [
            ctx.orgId,
          ])
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(connectorView) };
  },
});
