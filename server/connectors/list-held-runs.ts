import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import type { Hold } from "./run-view";

const shownAtMost = 20;

interface HeldRow {
  id: Id<"run">;
  connector_id: Id<"con">;
  connector_name: string;
  held: number;
  hold: Hold;
  finished_at: Date | null;
}

/** Lists at most 20 runs of all connectors that wait for approval as a whole or for their deactivations, oldest first. */
export const listHeldRuns = query({
  name: "connectors.held.list",
  scope: "connectors:read",
  input: z.strictObject({}),
  async run(ctx) {
    const rows = await reading(ctx).sql<HeldRow>(
      `SELECT run.id, run.connector_id, run.held, run.hold, run.finished_at, connector.name AS connector_name
       FROM (SELECT id, connector_id, held, hold, finished_at FROM connector_runs WHERE org_id = $1 AND status = 'held' ORDER BY id LIMIT ${shownAtMost}) run
       CROSS JOIN LATERAL (SELECT name FROM connectors WHERE org_id = ${opaque("$1")} AND id = run.connector_id AND deleted_at IS NULL OFFSET 0) connector
       ORDER BY run.id`,
      [ctx.orgId],
    );
    return rows.map((row) => ({
      id: publicId("run", row.id),
      connectorId: publicId("con", row.connector_id),
      connectorName: row.connector_name,
      held: row.held,
      memberships: row.hold.memberships,
      reason: row.hold.reason,
      heldSince: row.finished_at?.toISOString() ?? null,
    }));
  },
});
