import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { feedingPolicies } from "@/server/groups/uses";
import { keptInAbsence } from "../run/elsewhere";
import { groupByName } from "./link";

/** How a row changes the groups of a person: names, sorted. */
export interface GroupChange {
  from: string[];
  to: string[];
  /** How many memberships would end that count against the limit. */
  ending: number;
  /** Whether all of this waits for approval if the run is held. */
  waits: boolean;
}

interface Listed {
  subjectId: Id<"sub"> | null;
  names: string[];
  /** Whether the person is active now. */
  isActive: boolean;
  /** Whether the row deactivates the person. */
  ends: boolean;
}

interface Given {
  subject_id: Id<"sub">;
  group_id: Id<"grp">;
  name: string;
}

/** Previews how rows change groups, in the order of the rows. null if nothing changes. */
export async function previewGroups(
  ctx: TxCtx,
  connectorId: Id<"con"> | null,
  rows: Listed[],
): Promise<(GroupChange | null)[]> {
  const named = await groupsOfNames(ctx, connectorId, [...new Set(rows.flatMap(({ names }) => names))]);
  const owned = Map.groupBy(await given(ctx, connectorId, rows), (each) => each.subject_id);
  const feeding = new Set(
    await feedingPolicies(
      ctx,
      [...owned.values()].flat().map((each) => each.group_id),
    ),
  );
  return rows.map(({ subjectId, names, isActive, ends }) => {
    const listed = names.map((name) => named.get(name) ?? { id: null, name });
    const before = (subjectId && owned.get(subjectId)) ?? [];
    const kept = new Set(listed.map(({ id }) => id));
    const lost = before.filter((each) => !kept.has(each.group_id));
    const had = new Set(before.map((each) => each.group_id));
    const joins = listed.some(({ id }) => id === null || !had.has(id));
    if (lost.length === 0 && !joins) return null;
    const guarded = isActive ? lost.filter((each) => feeding.has(each.group_id)).length : 0;
    return {
      from: before.map(({ name }) => name).toSorted(),
      to: [...new Set(listed.map(({ name }) => name))].toSorted(),
      ending: ends ? 0 : guarded,
      waits: !joins && guarded === lost.length,
    };
  });
}

async function groupsOfNames(ctx: TxCtx, connectorId: Id<"con"> | null, names: string[]) {
  if (names.length === 0) return new Map<string, { id: Id<"grp">; name: string }>();
  const found = await ctx.tx.sql<{ given: string; id: Id<"grp">; name: string }>(
    `SELECT given.name AS given, g.id, g.name FROM (
       SELECT n.name, coalesce(
         (SELECT group_id FROM connector_groups WHERE org_id = $1 AND connector_id = $2 AND name_key = lower(n.name)), ${groupByName("lower(n.name)")}) AS id
       FROM unnest($3::text[]) AS n (name)
     ) given CROSS JOIN LATERAL (SELECT id, name FROM groups WHERE org_id = $1 AND id = given.id OFFSET 0) g`,
    [ctx.orgId, connectorId, names],
  );
  return new Map(found.map(({ given, id, name }) => [given, { id, name }]));
}

/** The memberships that the connector gives to these people. */
const given = (ctx: TxCtx, connectorId: Id<"con"> | null, rows: Listed[]): Promise<Given[]> =>
  ctx.tx.sql<Given>(
    `SELECT m.subject_id, m.group_id, g.name FROM unnest($3::uuid[]) AS known (id)
     CROSS JOIN LATERAL (SELECT subject_id, group_id FROM connector_memberships WHERE org_id = $1 AND connector_id = $2 AND subject_id = known.id OFFSET 0) m
     CROSS JOIN LATERAL (SELECT name FROM groups WHERE org_id = $1 AND id = m.group_id OFFSET 0) g`,
    [ctx.orgId, connectorId, rows.flatMap(({ subjectId }) => subjectId ?? [])],
  );

/**
 * Counts the memberships, of people who are missing from a full file with these keys but stay active, that count
 * against the limit.
 */
export async function countMissingMemberships(ctx: TxCtx, connectorId: Id<"con">, keys: string[]): Promise<number> {
  const rows = await ctx.tx.sql<{ id: Id<"grp">; n: number }>(
    `SELECT m.group_id AS id, count(*) AS n FROM connector_memberships m
     CROSS JOIN LATERAL (SELECT key FROM subject_sources WHERE org_id = $1 AND subject_id = m.subject_id AND type = 'connector' AND source_id = $3 OFFSET 0) o
     CROSS JOIN LATERAL (SELECT status FROM subjects WHERE org_id = $1 AND id = m.subject_id OFFSET 0) s
     WHERE m.org_id = $1 AND m.connector_id = $3 AND s.status = 'active'
       AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS sent (key) WHERE sent.key = o.key) AND ${keptInAbsence("m.subject_id")}
     GROUP BY m.group_id`,
    [ctx.orgId, keys, connectorId],
  );
  const feeding = new Set(
    await feedingPolicies(
      ctx,
      rows.map(({ id }) => id),
    ),
  );
  return rows.reduce((sum, { id, n }) => sum + (feeding.has(id) ? n : 0), 0);
}
