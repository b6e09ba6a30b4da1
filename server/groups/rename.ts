import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { append } from "@/server/events/append";
import { groupFactsOf, type GroupRow } from "./view";

/**
 * Renames a group. Emits group.updated; nothing if it has that name already.
 *
 * @returns whether the name changed
 */
export async function renameGroup(ctx: TxCtx, id: Id<"grp">, name: string): Promise<boolean> {
  const [renamed] = await ctx.tx.sql<Pick<GroupRow, "id" | "name" | "external_id" | "kind"> & { old_name: string }>(
    `UPDATE groups SET name = $3, updated_at = $4 WHERE org_id = $1 AND id = $2 AND name <> $3
     RETURNING id, name, external_id, kind, old.name AS old_name`,
    [ctx.orgId, id, name, ctx.now],
  );
  if (!renamed) return false;
  await append(ctx, {
    type: "group.updated",
    resourceId: id,
    object: groupFactsOf(renamed),
    previous: { name: renamed.old_name },
  });
  return true;
}
