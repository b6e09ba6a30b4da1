import type { TxCtx } from "@/server/core/context";
import type { CredentialRow } from "./view";

/** Makes a policy the source of those locked credentials that another policy issued (docs/decisions/426). */
export async function takeOver(ctx: TxCtx, locked: Iterable<CredentialRow>, policyId: string): Promise<void> {
  const others = [...locked].filter((row) => row.source_type === "policy" && row.source_id !== policyId);
  if (others.length === 0) return;
  await ctx.tx.sql(statement, [ctx.orgId, others.map(({ id }) => id), policyId]);
}

const statement = `
UPDATE credentials c SET source_id = $3 FROM unnest($2::uuid[]) AS target (id)
CROSS JOIN LATERAL (SELECT ctid AS tid FROM credentials WHERE org_id = $1 AND id = target.id OFFSET 0) locked
WHERE c.ctid = locked.tid`;
