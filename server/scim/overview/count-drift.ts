import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadScimConnector } from "../connection";
import { isDue } from "../removals/due";
import { driftCauses, driftSql, type DriftCause, type DriftSide } from "./drift";

const counted = (Object.keys(driftCauses) as DriftSide[])
  .map((side) => `SELECT cause, count(*) AS n FROM (${driftSql[side]}) differing GROUP BY cause`)
  .join(" UNION ALL ");

/**
 * Counts the differences between a directory and the organisation by cause. `memberships` counts ended memberships that
 * wait for approval: their people do not differ, only their groups. Requires subjects:read too, as the list of
 * differences does.
 */
export const countDrift = query({
  name: "connectors.directory.drift_counts",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const [rows, [waiting]] = await Promise.all([
      sql<{ cause: DriftCause; n: number }>(counted, [ctx.orgId, connection.id]),
      sql<{ n: number }>(
        `SELECT count(*) AS n FROM scim_removals r WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND group_id IS NOT NULL AND ${isDue("r")}`,
        [ctx.orgId, connection.id],
      ),
    ]);
    const none = Object.fromEntries(
      Object.values(driftCauses)
        .flat()
        .map((cause) => [cause, 0]),
    );
    const byCause = { ...none, ...Object.fromEntries(rows.map(({ cause, n }) => [cause, n])) } as Record<
      DriftCause,
      number
    >;
    return { ...byCause, memberships: waiting!.n };
  },
});
