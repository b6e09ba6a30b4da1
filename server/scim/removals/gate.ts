import { activeThatDecide, countActiveUpTo, limitFor } from "@/server/connectors/run/limit";
import { windowStart } from "@/server/core/blast-radius";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "../connection";
import { note } from "../requests/effect";
import { trace } from "../trace";
import { dropNotDue } from "./due";

/** A removal that a provider requested: a deactivation, a deletion, or the end of a membership. */
export interface Removal {
  subjectId: Id<"sub">;
  cause: "status" | "deleted" | "member";
  groupId?: Id<"grp">;
  /**
   * Whether it does not count in the limit: the membership of an inactive person. It waits if the others of its request
   * wait.
   */
  isUncounted?: boolean;
}

/**
 * Does the same as gateEach for a single removal.
 *
 * @returns whether to carry it out now
 */
export const gate = async (ctx: TxCtx, connection: Connection, removals: Removal[]): Promise<boolean> =>
  (await gateEach(ctx, connection, removals)).length === 0;

/**
 * Records removals, and decides which are applied at once. If they exceed the connection's limit together with those of
 * the last 24 hours, all are staged until a person decides (contract section 11). Within the limit, only those are
 * staged that a person discarded in the last 24 hours, because the directory repeats what was refused
 * (docs/decisions/523).
 *
 * @returns the removals that wait; carry out the others now
 */
export async function gateEach(ctx: TxCtx, connection: Connection, removals: Removal[]): Promise<Removal[]> {
  const counted = removals.filter(({ isUncounted }) => !isUncounted).length;
  if (removals.length === 0) return [];
  // Requests of one connection that remove something follow one another, so that each counts the others.
  await ctx.tx.sql(`SELECT 1 FROM connectors WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE`, [
    ctx.orgId,
    connection.id,
  ]);
  const waiting =
    counted === 0 || (await isWithinLimit(ctx, connection, counted))
      ? await discardedBefore(ctx, connection, removals)
      : removals;
  const waits = new Set(waiting);
  // A removal that does not count and is applied at once leaves no row, because the rows are counted.
  const recorded = removals.filter((each) => !each.isUncounted || waits.has(each));
  if (waiting.length > 0) await dropNotDue(ctx, connection);
  await ctx.tx.sql(
    `INSERT INTO scim_removals (org_id, connector_id, subject_id, group_id, cause, state, staged_at, applied_at)
     SELECT $1, $2, given.subject_id, given.group_id, given.cause, given.state, $7, CASE WHEN given.state = 'applied' THEN $7::timestamptz END
     FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[]) AS given (subject_id, group_id, cause, state)
     ON CONFLICT (org_id, connector_id, subject_id, group_id) WHERE state = 'staged' DO UPDATE SET cause = excluded.cause`,
    [
      ctx.orgId,
      connection.id,
      recorded.map((each) => each.subjectId),
      recorded.map((each) => each.groupId ?? null),
      recorded.map((each) => each.cause),
      recorded.map((each) => (waits.has(each) ? "staged" : "applied")),
      ctx.now,
    ],
  );
  ctx.tx.wrote("scim_removals", recorded.length);
  if (waiting.length > 0) {
    note(ctx, "staged", waiting.length);
    await trace(ctx, connection, "connector.removals_staged", "connection", {
      removals: waiting.length,
      cause: waiting[0]!.cause,
      people: waiting.slice(0, 100).map(({ subjectId }) => publicId("sub", subjectId)),
    });
    ctx.tx.nudgeAfterCommit("mails");
  }
  return waiting;
}

/** Returns the removals among these that a person discarded in the last 24 hours. */
async function discardedBefore(ctx: TxCtx, connection: Connection, removals: Removal[]): Promise<Removal[]> {
  const rows = await ctx.tx.sql<{ n: number }>(
    `SELECT given.n::int AS n FROM unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS given (subject_id, group_id, n)
     WHERE EXISTS (
       SELECT FROM (SELECT connector_id, group_id, discarded_at FROM scim_removals WHERE org_id = ${opaque("$1")} AND subject_id = given.subject_id OFFSET 0) r
       WHERE r.connector_id = $2 AND r.group_id IS NOT DISTINCT FROM given.group_id AND r.discarded_at > $5)`,
    [
      ctx.orgId,
      connection.id,
      removals.map((each) => each.subjectId),
      removals.map((each) => each.groupId ?? null),
      windowStart(ctx.now),
    ],
  );
  return rows.map(({ n }) => removals[n - 1]!);
}

async function isWithinLimit(ctx: TxCtx, connection: Connection, more: number): Promise<boolean> {
  const { id, limits, is_default } = connection;
  const rows = await countRecent(ctx, connection, "count(*)");
  // Counting the people of a directory is the slowest step. It is skipped if the fixed part of the limit is sufficient,
  // and stops once the decision is certain, because other requests of the directory wait meanwhile
  // (docs/decisions/482).
  if (rows + more <= limits.deactivations) return true;
  const enough = activeThatDecide(limits, { recent: rows, more });
  const [{ active } = { active: 0 }] = is_default
    ? await ctx.tx.sql<{ active: number }>(
        `SELECT count(*) AS active FROM (SELECT FROM subjects WHERE org_id = $1 AND status = 'active' LIMIT $2) counted`,
        [ctx.orgId, enough],
      )
    : await ctx.tx.sql<{ active: number }>(`SELECT ${countActiveUpTo} AS active`, [ctx.orgId, id, enough]);
  const fits = (recent: number) => recent + more <= limitFor(limits, { recent, active });
  // There are at least as many rows as removals that count. Distinguish them only if the rows exceed the limit.
  return fits(rows) || fits(await countRecent(ctx, connection, stillRemoved));
}

/**
 * SQL: how many people of the rows `recent` are still deactivated, and how many memberships are still gone. A person
 * who was deactivated several times counts once, and a person who is active again does not count (docs/decisions/522).
 */
const stillRemoved = `count(DISTINCT (subject_id, group_id)) FILTER (WHERE CASE WHEN group_id IS NULL
    THEN NOT EXISTS (SELECT FROM subjects WHERE org_id = ${opaque("$1")} AND id = recent.subject_id AND status = 'active')
    ELSE NOT EXISTS (SELECT FROM group_members m WHERE m.org_id = ${opaque("$1")} AND m.group_id = recent.group_id AND m.subject_id = recent.subject_id) END)`;

async function countRecent(ctx: TxCtx, connection: Connection, what: string): Promise<number> {
  const [row] = await ctx.tx.sql<{ recent: number }>(
    `SELECT ${what} AS recent FROM scim_removals recent WHERE org_id = $1 AND connector_id = $2 AND applied_at > $3 AND NOT approved`,
    [ctx.orgId, connection.id, windowStart(ctx.now)],
  );
  return row!.recent;
}

/** Drops the staged deactivation of a person, because the directory has them active again or the removal is done. */
export async function dropStaged(ctx: TxCtx, connection: Connection, subjectId: Id<"sub">): Promise<void> {
  await ctx.tx.sql(
    `UPDATE scim_removals SET state = 'dropped' WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3 AND group_id IS NULL AND state = 'staged'`,
    [ctx.orgId, connection.id, subjectId],
  );
}
