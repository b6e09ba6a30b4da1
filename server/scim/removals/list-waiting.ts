import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { isDue } from "./due";

const shownAtMost = 20;

interface WaitingRow {
  connector_id: Id<"con">;
  connector_name: string;
  removals: number;
  oldest: Date;
}

/**
 * Lists the directories whose removals wait for approval, with their number: those of the given connectors, such as
 * those of a page of the list, else at most 20 directories, those that wait longest first.
 */
export const listWaitingDirectories = query({
  name: "connectors.staged.directories",
  scope: "connectors:read",
  input: z.strictObject({ connectorIds: z.array(id("con")).max(100).optional() }),
  async run(ctx, { connectorIds }) {
    const rows = await reading(ctx).sql<WaitingRow>(
      `SELECT removal.*, connector.name AS connector_name
       FROM (SELECT connector_id, count(*) AS removals, min(staged_at) AS oldest FROM scim_removals r
             WHERE org_id = $1 AND state = 'staged' AND ${isDue("r")}
             GROUP BY connector_id ORDER BY oldest, connector_id LIMIT $2) removal
       CROSS JOIN LATERAL (SELECT name FROM connectors WHERE org_id = ${opaque("$1")} AND id = removal.connector_id AND deleted_at IS NULL OFFSET 0) connector
       ORDER BY removal.oldest`,
      [ctx.orgId, connectorIds ? null : shownAtMost],
    );
    const wanted = connectorIds && new Set(connectorIds.map(String));
    const found = wanted ? rows.filter((row) => wanted.has(String(row.connector_id))) : rows;
    return found.map((row) => ({
      connectorId: publicId("con", row.connector_id),
      connectorName: row.connector_name,
      removals: row.removals,
      since: row.oldest.toISOString(),
    }));
  },
});
