import { countActive, limitFor } from "@/server/connectors/run/limit";
import { windowStart } from "@/server/core/blast-radius";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Connection } from "../connection";
import { note } from "../requests/effect";
import { trace } from "../trace";

/** A removal that a provider asked for: a deactivation, a deletion, or the end of a membership. */
export interface Removal {
  subjectId: Id<"sub">;
  cause: "status" | "deleted" | "member";
  groupId?: Id<"grp">;
}

/**
 * Records removals, and decides whether they are applied at once. They are if, together with those of the last 24 hours,
 * they stay within the connection's limit. Otherwise all of them are staged until a person decides (contract section 11).
 * @returns whether to do them now
 */
export async function gate(ctx: TxCtx, connection: Connection, removals: Removal[]): Promise<boolean> {
  if (removals.length === 0) return true;
  // Requests of one connection that remove something follow one another, so that each counts the others.
  await ctx.tx.sql(`SELECT 1 FROM connectors WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
    ctx.orgId,
    connection.id,
  ]);
  const passes = await isWithinLimit(ctx, connection, removals.length);
  await ctx.tx.sql(
    `INSERT INTO scim_removals (org_id, connector_id, subject_id, group_id, cause, state, staged_at, applied_at)
     SELECT $1, $2, given.subject_id, given.group_id, given.cause, $6, $7, CASE WHEN $6 = 'applied' THEN $7::timestamptz END
     FROM unnest($3::uuid[], $4::uuid[], $5::text[]) AS given (subject_id, group_id, cause)
     ON CONFLICT (org_id, connector_id, subject_id, group_id) WHERE state = 'staged' DO UPDATE SET cause = excluded.cause`,
    [
      ctx.orgId,
      connection.id,
      removals.map((each) => each.subjectId),
      removals.map((each) => each.groupId ?? null),
      removals.map((each) => each.cause),
      passes ? "applied" : "staged",
      ctx.now,
    ],
  );
  ctx.tx.wrote("scim_removals", removals.length);
  if (!passes) {
    note(ctx, "staged", removals.length);
    await trace(ctx, connection, "connector.removals_staged", "connection", {
      removals: removals.length,
      cause: removals[0]!.cause,
      people: removals.slice(0, 100).map(({ subjectId }) => publicId("sub", subjectId)),
    });
    ctx.tx.nudgeAfterCommit("mails");
  }
  return passes;
}

async function isWithinLimit(ctx: TxCtx, { id, limits, is_default }: Connection, more: number): Promise<boolean> {
  const [{ recent } = { recent: 0 }] = await ctx.tx.sql<{ recent: number }>(
    `SELECT count(*) AS recent FROM scim_removals WHERE org_id = $1 AND connector_id = $2 AND applied_at > $3 AND NOT approved`,
    [ctx.orgId, id, windowStart(ctx.now)],
  );
  // Counting the people of a directory is the slowest step. It is skipped if the fixed part of the limit is enough.
  if (recent + more <= limits.deactivations) return true;
  const [{ active } = { active: 0 }] = is_default
    ? await ctx.tx.sql<{ active: number }>(
        `SELECT count(*) AS active FROM subjects WHERE org_id = $1 AND status = 'active'`,
        [ctx.orgId],
      )
    : await ctx.tx.sql<{ active: number }>(`SELECT ${countActive} AS active`, [ctx.orgId, id]);
  return recent + more <= limitFor(limits, { recent, active });
}

/** Drops the staged deactivation of a person, because the directory has them active again or the removal is done. */
export async function dropStaged(ctx: TxCtx, connection: Connection, subjectId: Id<"sub">): Promise<void> {
  await ctx.tx.sql(
    `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3 AND group_id IS NULL AND state = 'staged'`,
    [ctx.orgId, connection.id, subjectId],
  );
}
