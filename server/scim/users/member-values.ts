import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Connection } from "../connection";
import type { FoundUsers } from "../groups/find-users";

/**
 * The values by which the groups of a connection may name users: the id and the externalId.
 *
 * @param which `shown`: without users whom the directory deleted
 */
export async function memberValues(
  ctx: TxCtx,
  connection: Connection,
  users: Id<"sub">[],
  which: "shown" | "all",
): Promise<FoundUsers> {
  if (users.length === 0) return new Map();
  const rows = await ctx.tx.sql<{ id: Id<"sub">; external_id: string | null; hidden: boolean }>(
    `SELECT u.id, u.external_id, u.hidden FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT subject_id AS id, external_id, hidden_at IS NOT NULL AS hidden FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = given.id OFFSET 0
     ) u`,
    [ctx.orgId, connection.id, users],
  );
  const named = rows.filter(({ hidden }) => which === "all" || !hidden);
  return new Map(
    named.flatMap(({ id, external_id }) => [publicId("sub", id), external_id ?? []].flat().map((value) => [value, id])),
  );
}
