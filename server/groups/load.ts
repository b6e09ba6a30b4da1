import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { requireNotProvided } from "./provided";
import { groupColumns, type GroupRow } from "./view";

/** @throws DomainError not_found, also for a group of another organisation. */
export async function loadGroup(
  ctx: Ctx,
  id: Id<"grp">,
  lock: "" | "FOR UPDATE" | "FOR KEY SHARE" = "",
): Promise<GroupRow> {
  const [row] = await reading(ctx).sql<GroupRow>(
    `SELECT ${groupColumns} FROM groups WHERE org_id = ${opaque("$1")} AND id = $2 ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("group", publicId("grp", id));
  return row;
}

/**
 * Loads a group whose members can be changed by hand, and locks it, so that it is not deleted until the transaction
 * ends.
 *
 * @throws DomainError not_found, group_not_static, group_provided
 */
export async function loadStaticGroup(ctx: Ctx, id: Id<"grp">): Promise<GroupRow> {
  const group = await loadGroup(ctx, id, "FOR KEY SHARE");
  requireNotProvided(group);
  if (group.kind === "static") return group;
  throw new DomainError(
    "group_not_static",
    "The rule of this group says who its members are. Change the rule, or add people to a static group that the rule names.",
  );
}
