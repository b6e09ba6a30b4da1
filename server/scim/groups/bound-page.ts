import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";

/** The most members of all groups on a page, unless a single group has more. */
export const mostMembersOfPage = 20_000;

/**
 * Returns how many of these groups one answer can contain with their members: a page may have fewer resources than
 * requested (RFC 7644 section 3.4.2.4).
 */
export async function fittingGroups(ctx: Ctx, groups: Id<"grp">[], most = mostMembersOfPage): Promise<number> {
  if (groups.length < 2) return groups.length;
  const rows = await reading(ctx).sql<{ n: number }>(
    `SELECT (SELECT count(*) FROM (SELECT FROM group_members WHERE org_id = ${opaque("$1")} AND group_id = given.id LIMIT $3) counted)
       + (SELECT count(*) FROM (SELECT FROM scim_pending_members WHERE org_id = ${opaque("$1")} AND group_id = given.id AND leaving_since IS NULL LIMIT $3) counted) AS n
     FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, place) ORDER BY place`,
    [ctx.orgId, groups, most + 1],
  );
  let all = 0;
  const at = rows.findIndex(({ n }, place) => (all += n) > most && place > 0);
  return at === -1 ? groups.length : at;
}
