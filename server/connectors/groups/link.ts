import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { createStaticGroups } from "@/server/groups/create-set";
import type { Work } from "../run/work";

/** The most groups that a file can name. More are a sign of a wrong column, such as that of the id. */
export const mostGroups = 5_000;

/** A name of a group in a file. `key` is the name in lower case: names that differ only in case are one group. */
export interface NamedGroup {
  key: string;
  name: string;
}

/** Finds the groups that the staged rows of a run name: up to one more than `mostGroups`. */
export const namedGroups = (ctx: TxCtx, work: Pick<Work, "id">): Promise<NamedGroup[]> =>
  ctx.tx.sql<NamedGroup>(
    `SELECT lower(given.name) AS key, min(given.name COLLATE "C") AS name FROM connector_rows r CROSS JOIN LATERAL unnest(r.groups) AS given (name)
     WHERE r.org_id = $1 AND r.run_id = $2 GROUP BY 1 ORDER BY 1 LIMIT $3`,
    [ctx.orgId, work.id, mostGroups + 1],
  );

/** SQL: the static group that a name of a file stands for, unless a directory provides it: the oldest one. */
export const groupByName = (key: string) => `(
  SELECT g.id FROM groups g WHERE g.org_id = $1 AND g.kind = 'static' AND lower(g.name) = ${key}
    AND NOT EXISTS (SELECT FROM scim_groups provided WHERE provided.org_id = $1 AND provided.group_id = g.id AND provided.hidden_at IS NULL)
  ORDER BY g.id LIMIT 1)`;

/**
 * Remembers which groups the names of a file stand for: those that a file of the connector named before, else groups
 * that have the name. So a group can be renamed here without losing its members.
 * @returns the names for which there is no group yet
 */
export async function linkGroups(ctx: TxCtx, connectorId: Id<"con">, named: NamedGroup[]): Promise<NamedGroup[]> {
  if (named.length === 0) return [];
  await ctx.tx.sql(
    `INSERT INTO connector_groups (org_id, connector_id, name_key, group_id)
     SELECT $1, $2, found.key, found.group_id FROM (SELECT given.key, ${groupByName("given.key")} AS group_id FROM unnest($3::text[]) AS given (key)) found
     WHERE found.group_id IS NOT NULL ON CONFLICT DO NOTHING`,
    [ctx.orgId, connectorId, named.map(({ key }) => key)],
  );
  const known = await ctx.tx.sql<{ key: string }>(
    `SELECT name_key AS key FROM connector_groups WHERE org_id = $1 AND connector_id = $2`,
    [ctx.orgId, connectorId],
  );
  const keys = new Set(known.map(({ key }) => key));
  return named.filter(({ key }) => !keys.has(key));
}

/** Creates a group for each of these names. Emits group.created. */
export async function createNamedGroups(ctx: TxCtx, connectorId: Id<"con">, named: NamedGroup[]): Promise<void> {
  if (named.length === 0) return;
  const ids = await createStaticGroups(
    ctx,
    named.map(({ name }) => name),
  );
  await ctx.tx.sql(
    `INSERT INTO connector_groups (org_id, connector_id, name_key, group_id) SELECT $1, $2, given.key, given.id FROM unnest($3::text[], $4::uuid[]) AS given (key, id)`,
    [ctx.orgId, connectorId, named.map(({ key }) => key), ids],
  );
}
