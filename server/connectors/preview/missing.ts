import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { keptInAbsence } from "../run/elsewhere";
import type { PreviewRow } from "./view";

/** A page of a list of people. */
interface Page {
  skip: number;
  take: number;
}

const whom = `
FROM subject_sources o CROSS JOIN LATERAL (SELECT external_id, display_name, status FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
WHERE o.org_id = $1 AND o.source_id = $3 AND o.key IS NOT NULL AND s.status = 'active'
  AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS sent (key) WHERE sent.key = o.key)
  AND NOT ${keptInAbsence("o.subject_id")}`;

/** Counts the people that a full file with these keys would deactivate because they are missing from it. */
export async function countMissing(ctx: TxCtx, connectorId: Id<"con">, keys: string[]): Promise<number> {
  const [row] = await ctx.tx.sql<{ n: number }>(`SELECT count(*) AS n ${whom}`, [ctx.orgId, keys, connectorId]);
  return row!.n;
}

/** Lists these people in the order of their external ids. */
export async function listMissing(
  ctx: TxCtx,
  connectorId: Id<"con">,
  keys: string[],
  { skip, take }: Page,
): Promise<PreviewRow[]> {
  const rows = await ctx.tx.sql<{ external_id: string; display_name: string }>(
    `SELECT s.external_id, s.display_name ${whom} ORDER BY s.external_id LIMIT $4 OFFSET $5`,
    [ctx.orgId, keys, connectorId, take, skip],
  );
  return rows.map(({ external_id, display_name }) => ({
    line: null,
    externalId: external_id,
    displayName: display_name,
    action: "deactivate",
    changes: [{ field: "status", from: "active", to: "inactive" }],
    ownedElsewhere: [],
    errors: [],
  }));
}

// $4: the groups whose memberships of active people wait for approval.
const leaving = `
FROM connector_memberships m
CROSS JOIN LATERAL (SELECT key FROM subject_sources WHERE org_id = $1 AND subject_id = m.subject_id AND type = 'connector' AND source_id = $3 OFFSET 0) o
CROSS JOIN LATERAL (SELECT external_id, display_name, status FROM subjects WHERE org_id = $1 AND id = m.subject_id OFFSET 0) s
CROSS JOIN LATERAL (SELECT s.status = 'active' AND m.group_id = ANY($4::uuid[]) AS waits) held
WHERE m.org_id = $1 AND m.connector_id = $3
  AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS sent (key) WHERE sent.key = o.key)
  AND (s.status <> 'active' OR ${keptInAbsence("m.subject_id")})`;

/**
 * Counts the people whom a full file with these keys removes from groups because they are missing from it, but leaves
 * unchanged otherwise.
 *
 * @param guarded the groups that active people leave only with an approval
 */
export async function countLeaving(
  ctx: TxCtx,
  connectorId: Id<"con">,
  keys: string[],
  guarded: Id<"grp">[],
): Promise<number> {
  const [row] = await ctx.tx.sql<{ n: number }>(
    `SELECT count(DISTINCT m.subject_id) AS n ${leaving} AND NOT held.waits`,
    [ctx.orgId, keys, connectorId, guarded],
  );
  return row!.n;
}

/** Lists these people in the order of their external ids, with the groups that the connector gave them. */
export async function listLeaving(
  ctx: TxCtx,
  connectorId: Id<"con">,
  keys: string[],
  guarded: Id<"grp">[],
  { skip, take }: Page,
): Promise<PreviewRow[]> {
  const rows = await ctx.tx.sql<{ external_id: string; display_name: string; names: string[]; kept: string[] | null }>(
    `SELECT given.external_id, given.display_name, array_agg(g.name ORDER BY g.name) AS names, array_agg(g.name ORDER BY g.name) FILTER (WHERE given.waits) AS kept
     FROM (SELECT m.group_id, s.external_id, s.display_name, held.waits ${leaving}) given
     CROSS JOIN LATERAL (SELECT name FROM groups WHERE org_id = $1 AND id = given.group_id OFFSET 0) g
     GROUP BY 1, 2 HAVING NOT bool_and(given.waits) ORDER BY 1 LIMIT $5 OFFSET $6`,
    [ctx.orgId, keys, connectorId, guarded, take, skip],
  );
  return rows.map(({ external_id, display_name, names, kept }) => ({
    line: null,
    externalId: external_id,
    displayName: display_name,
    action: "update",
    changes: [{ field: "groups", from: names, to: kept }],
    ownedElsewhere: [],
    errors: [],
  }));
}
