import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { isFailing } from "./list-failing";

/**
 * Returns for each of these connectors, such as those of a page of the list, whether a run waits and whether the last
 * run failed.
 */
export const listConnectorAlerts = query({
  name: "connectors.alerts.list",
  scope: "connectors:read",
  input: z.strictObject({ connectorIds: z.array(id("con")).max(100) }),
  async run(ctx, { connectorIds }) {
    const rows = await reading(ctx).sql<{ id: Id<"con">; waits: boolean; fails: boolean }>(
      `SELECT c.id,
         EXISTS (SELECT FROM connector_runs WHERE org_id = ${opaque("$1")} AND connector_id = c.id AND status = 'held') AS waits,
         c.status = 'active' AND EXISTS (
           SELECT FROM (
             SELECT status, rows, rejected FROM connector_runs
             WHERE org_id = ${opaque("$1")} AND connector_id = c.id AND status NOT IN ('queued', 'running') ORDER BY id DESC LIMIT 1
           ) run WHERE ${isFailing("run")}) AS fails
       FROM (SELECT id, status FROM connectors WHERE org_id = $1 AND id = ANY($2::uuid[]) AND deleted_at IS NULL) c`,
      [ctx.orgId, connectorIds],
    );
    return rows.map(({ id, waits, fails }) => ({ connectorId: publicId("con", id), waits, fails }));
  },
});
