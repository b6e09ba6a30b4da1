import type { TxCtx } from "@/server/core/context";
import { newId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { groupFactsOf } from "./view";

/** Creates static groups without members, one for each name. Emits group.created for each. */
export async function createStaticGroups(ctx: TxCtx, names: string[]): Promise<Id<"grp">[]> {
  const rows = names.map((name) => ({ id: newId("grp"), name, external_id: null, kind: "static" as const }));
  await ctx.tx.sql(
    `INSERT INTO groups (org_id, id, name, description, kind, rule_group_ids, created_at, updated_at)
     SELECT $1, given.id, given.name, '', 'static', '{}', $4, $4 FROM unnest($2::uuid[], $3::text[]) AS given (id, name)`,
    [ctx.orgId, rows.map(({ id }) => id), names, ctx.now],
  );
  await appendAll(
    ctx,
    rows.map((row) => ({ type: "group.created" as const, resourceId: row.id, object: groupFactsOf(row) })),
  );
  return rows.map(({ id }) => id);
}
