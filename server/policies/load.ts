import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { policyColumns, shownColumns, type PolicyRow, type ShownPolicy } from "./view";

/** @throws DomainError not_found, including for policies of other organisations and deleted ones. */
export async function loadPolicy(
  ctx: Ctx,
  id: Id<"pol">,
  lock: "" | "FOR UPDATE" | "FOR SHARE" = "",
): Promise<PolicyRow> {
  return found(
    id,
    await reading(ctx).sql<PolicyRow>(
      `SELECT ${policyColumns} FROM policies WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL ${lock}`,
      [ctx.orgId, id],
    ),
  );
}

/** A policy with its newest run. @throws DomainError not_found */
export async function loadShownPolicy(ctx: Ctx, id: Id<"pol">): Promise<ShownPolicy> {
  return found(
    id,
    await reading(ctx).sql<ShownPolicy>(
      `SELECT ${shownColumns} FROM policies WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [ctx.orgId, id],
    ),
  );
}

function found<Row>(id: Id<"pol">, [row]: Row[]): Row {
  if (!row) throw notFound("policy", publicId("pol", id));
  return row;
}
