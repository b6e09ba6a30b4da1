import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { keptInAbsence } from "../run/elsewhere";
import type { PreviewRow } from "./view";

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
  { skip, take }: { skip: number; take: number },
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
