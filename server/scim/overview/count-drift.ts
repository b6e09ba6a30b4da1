import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadScimConnector } from "../connection";
import { driftCauses, driftSql, type DriftCause, type DriftSide } from "./drift";

const counted = (Object.keys(driftCauses) as DriftSide[])
  .map((side) => `SELECT cause, count(*) AS n FROM (${driftSql[side]}) differing GROUP BY cause`)
  .join(" UNION ALL ");

/** Counts the differences between a directory and the organisation by cause. Takes subjects:read too, as their list does. */
export const countDrift = query({
  name: "connectors.directory.drift_counts",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const rows = await reading(ctx).sql<{ cause: DriftCause; n: number }>(counted, [ctx.orgId, connection.id]);
    const none = Object.fromEntries(
      Object.values(driftCauses)
        .flat()
        .map((cause) => [cause, 0]),
    );
    return { ...none, ...Object.fromEntries(rows.map(({ cause, n }) => [cause, n])) } as Record<DriftCause, number>;
  },
});
