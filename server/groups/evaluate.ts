import type { TxCtx } from "@/server/core/context";
import { firstId, lastId, type Id } from "@/server/core/ids";
import { regionOf } from "@/server/organisations/region";
import { compileRule } from "@/server/rules/compile";
import type { Rule } from "@/server/rules/rule";
import { withinRuleTime } from "@/server/rules/rule-time";
import type { Clock } from "@/server/rules/times";
import { changeOf, tellMemberChange, type MemberChange } from "./member-change";

/** How many people one transaction evaluates, so that its locks are short (docs/decisions/316). */
const windowSize = 20_000;

interface Turn {
  rule: Rule;
  evaluated_to: Id<"sub"> | null;
}

/** From one person, exclusive, to another, inclusive, in the order of their ids. */
interface Window {
  after: string | Id<"sub">;
  to: string | Id<"sub">;
}

/**
 * Evaluates the next 20,000 people for a rule group, and writes who joined and who left: one group.members_added and
 * one group.members_removed. The progress is stored in the group's row, so the next evaluation continues there. The
 * group is locked, so two evaluations of one group run one after the other.
 *
 * @returns whether the members are now exactly the people who match the rule
 */
export async function evaluateNextWindow(ctx: TxCtx, groupId: Id<"grp">): Promise<boolean> {
  const [turn] = await ctx.tx.sql<Turn>(
    `SELECT rule, evaluated_to FROM groups WHERE org_id = $1 AND id = $2 AND kind = 'rule' FOR NO KEY UPDATE`,
    [ctx.orgId, groupId],
  );
  if (!turn) return true;
  const after = turn.evaluated_to ?? firstId;
  const [end] = await ctx.tx.sql<{ id: Id<"sub"> }>(
    `SELECT id FROM subjects WHERE org_id = $1 AND id > $2 ORDER BY id LIMIT 1 OFFSET $3`,
    [ctx.orgId, after, windowSize - 1],
  );
  const window = { after, to: end?.id ?? lastId };
  const { timeZone } = await regionOf(ctx.tx.sql, ctx.orgId);
  const clock = { now: ctx.now, timeZone };
  const { removed, added } = await withinRuleTime(ctx.tx, async () => ({
    removed: await removeOthers(ctx, groupId, turn.rule, clock, window),
    added: await addMatching(ctx, groupId, turn.rule, clock, window),
  }));
  ctx.tx.wrote("group_members", added.count);
  await tellMemberChange(ctx, "group.members_removed", groupId, removed);
  await tellMemberChange(ctx, "group.members_added", groupId, added);
  await ctx.tx.sql(end ? goOn : finish, [ctx.orgId, groupId, ...(end ? [ctx.now, end.id] : [ctx.now])]);
  return !end;
}

const served = `served_at = $3, evaluation_problem = NULL, evaluation_failures = 0, retry_at = NULL`;

const goOn = `UPDATE groups SET ${served}, evaluated_to = $4, evaluating_since = CASE WHEN evaluated_to IS NULL THEN $3 ELSE evaluating_since END WHERE org_id = $1 AND id = $2`;

const finish = `UPDATE groups SET ${served}, evaluated_at = CASE WHEN evaluated_to IS NULL THEN $3 ELSE evaluating_since END, evaluated_to = NULL, evaluating_since = NULL WHERE org_id = $1 AND id = $2`;

// Each person is looked up by the full key (OFFSET 0), so that no plan reads the group once for each person, even in an
// organisation that is not in the statistics yet. The statement waits for a person who is being erased or deleted.
async function addMatching(
  ctx: TxCtx,
  groupId: Id<"grp">,
  rule: Rule,
  clock: Clock,
  { after, to }: Window,
): Promise<MemberChange> {
  const values: unknown[] = [ctx.orgId, groupId, after, to, ctx.now];
  const matches = compileRule(rule, clock, (value) => `$${values.push(value)}`);
  const [change] = await ctx.tx.sql<MemberChange>(
    `WITH changed AS (
       INSERT INTO group_members (org_id, group_id, subject_id, added_at)
       SELECT $1, $2, s.id, $5 FROM subjects s
       WHERE s.org_id = $1 AND s.id > $3 AND s.id <= $4 AND ${matches}
         AND NOT EXISTS (SELECT FROM group_members held WHERE held.org_id = $1 AND held.group_id = $2 AND held.subject_id = s.id OFFSET 0)
       ORDER BY s.id FOR KEY SHARE OF s
       RETURNING subject_id
     ) ${changeOf}`,
    values,
    false,
  );
  return change!;
}

async function removeOthers(
  ctx: TxCtx,
  groupId: Id<"grp">,
  rule: Rule,
  clock: Clock,
  { after, to }: Window,
): Promise<MemberChange> {
  const values: unknown[] = [ctx.orgId, groupId, after, to];
  const matches = compileRule(rule, clock, (value) => `$${values.push(value)}`);
  const [change] = await ctx.tx.sql<MemberChange>(
    `WITH changed AS (
       DELETE FROM group_members held
       WHERE held.org_id = $1 AND held.group_id = $2 AND held.subject_id > $3 AND held.subject_id <= $4
         AND (SELECT ${matches} FROM subjects s WHERE s.org_id = $1 AND s.id = held.subject_id OFFSET 0) IS NOT TRUE
       RETURNING subject_id
     ) ${changeOf}`,
    values,
    false,
  );
  return change!;
}
