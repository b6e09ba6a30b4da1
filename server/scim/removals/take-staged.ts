import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { firstId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import type { Connection } from "../connection";
import { membershipsOf } from "../users/leave-groups";
import { lockPeople } from "../users/lock";
import { dropNotDue, isDue } from "./due";
import type { Removal } from "./gate";

/** The most removals that one decision takes. */
export const mostAtOnce = 5_000;

export const decisionInput = z.strictObject({
  id: id("con"),
  ids: z.array(id("sub")).min(1).max(mostAtOnce).optional().meta({
    description: "Whose removals: ids of people. All that are staged unless sent, at most 5,000 at once.",
  }),
  removals: z
    .array(z.strictObject({ subjectId: id("sub"), groupId: id("grp").nullable() }))
    .min(1)
    .max(mostAtOnce)
    .optional()
    .meta({
      description:
        "Single removals, as they were listed: of the person (groupId null), or of the person from a group. Other removals of the person go on waiting.",
    }),
  expectedCount: z.int().min(0).max(1_000_000).optional().meta({
    description:
      "How many removals of the connection wait, as they were listed. If others have come or gone since, the answer is 409 and nothing happens.",
  }),
});

const count = z.int();
export const decisionSchema = z
  .object({
    deactivated: count,
    membershipsRemoved: count,
    dropped: count.meta({ description: "Removals that were discarded, or no longer due." }),
    remaining: count.meta({ description: "Removals that still wait." }),
  })
  .meta({ id: "StagedDecision" });
export type Decision = z.output<typeof decisionSchema>;

interface Wanted {
  ids: Id<"sub">[] | undefined;
  removals: { subjectId: Id<"sub">; groupId: Id<"grp"> | null }[] | undefined;
  expectedCount: number | undefined;
  state: "applied" | "dropped";
  /**
   * Locks the groups whose members the decision changes or shows again, between the people and the removals
   * (server/scim/users/lock.ts).
   *
   * @param deleted the people of these removals whom the directory deleted
   */
  lockGroups(groups: Id<"grp">[], deleted: Id<"sub">[]): void | Promise<void>;
}

interface Found {
  id: string;
  subject_id: Id<"sub">;
  group_id: Id<"grp"> | null;
  cause: Removal["cause"];
}

/**
 * Claims staged removals for a decision, the oldest first, and locks the people and the removals.
 *
 * @throws DomainError count_mismatch if another number than expectedCount waited
 */
export async function takeStaged(
  ctx: TxCtx,
  connection: Connection,
  { ids, removals, expectedCount, state, lockGroups }: Wanted,
): Promise<Removal[]> {
  const found = await ctx.tx.sql<Found>(
    `SELECT id, subject_id, group_id, cause FROM scim_removals WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND ($3::uuid[] IS NULL OR subject_id = ANY($3))
       AND ($5::uuid[] IS NULL OR (subject_id, coalesce(group_id, '${firstId}')) IN (SELECT chosen.subject_id, coalesce(chosen.group_id, '${firstId}') FROM unnest($5, $6::uuid[]) AS chosen (subject_id, group_id)))
     ORDER BY id LIMIT $4`,
    [
      ctx.orgId,
      connection.id,
      ids ?? null,
      mostAtOnce,
      removals?.map(({ subjectId }) => subjectId) ?? null,
      removals?.map(({ groupId }) => groupId) ?? null,
    ],
  );
  lockPeople(ctx, connection, [...new Set(found.map((row) => row.subject_id))]);
  const deleted = found.filter(({ cause }) => cause === "deleted").map((row) => row.subject_id);
  await lockGroups(await groupsOf(ctx, connection, found, deleted), deleted);
  await dropNotDue(ctx, connection);
  // Before the people were locked, another request may have decided on some removals, or the directory withdrew them.
  const rows = await ctx.tx.sql<Omit<Found, "id">>(
    `UPDATE scim_removals r SET state = $4, approved = $4 = 'applied', applied_at = CASE WHEN $4 = 'applied' THEN $5::timestamptz END,
       discarded_at = CASE WHEN $4 = 'dropped' THEN $5::timestamptz END
     WHERE org_id = $1 AND connector_id = $2 AND id = ANY($3::uuid[]) AND state = 'staged' AND ${isDue("r")} RETURNING subject_id, group_id, cause`,
    [ctx.orgId, connection.id, found.map((row) => row.id), state, ctx.now],
  );
  if (expectedCount !== undefined) {
    const count = rows.length + (await countStaged(ctx, connection));
    if (count !== expectedCount)
      throw new DomainError(
        "count_mismatch",
        `${count} removals wait, not ${expectedCount}: others have come or gone since. Nothing was done. Look at the list again and send expectedCount ${count}.`,
        { members: { count, expectedCount } },
      );
  }
  return rows.map(({ subject_id, group_id, cause }) => ({
    subjectId: subject_id,
    cause,
    ...(group_id && { groupId: group_id }),
  }));
}

/** The groups of removals: of the memberships, and of the users who were deleted. */
async function groupsOf(
  ctx: TxCtx,
  connection: Connection,
  found: Found[],
  deleted: Id<"sub">[],
): Promise<Id<"grp">[]> {
  const memberships = deleted.length > 0 ? await membershipsOf(ctx, connection, deleted) : [];
  return [...new Set([...found, ...memberships].flatMap((row) => row.group_id ?? []))];
}

export async function countStaged(ctx: TxCtx, connection: Connection): Promise<number> {
  const [row] = await ctx.tx.sql<{ n: number }>(
    `SELECT count(*) AS n FROM scim_removals r WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND ${isDue("r")}`,
    [ctx.orgId, connection.id],
  );
  return row!.n;
}
