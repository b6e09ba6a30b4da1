import type { TxCtx } from "@/server/core/context";
import { readId, uuidOf, type Id } from "@/server/core/ids";
import type { Connection } from "../connection";
import { isShown } from "./shown";

/** People by the member value that identifies them. Unknown values are missing. */
export type FoundUsers = ReadonlyMap<string, Id<"sub">>;

/**
 * Finds the users of the connection that member values identify: by id, or by externalId. Locks them, so that they are
 * not deleted or erased until the transaction ends. Does not find people whom the directory does not provide; the
 * default connection provides everybody, and may have stored another externalId than the subject's.
 */
export async function findUsers(
  ctx: TxCtx,
  connection: Connection,
  values: string[],
  lock: "" | "FOR KEY SHARE" = "",
): Promise<FoundUsers> {
  if (values.length === 0) return new Map();
  const rows = await ctx.tx.sql<{ value: string; id: Id<"sub"> }>((connection.is_default ? findAnybody : find)(lock), [
    ctx.orgId,
    connection.id,
    values,
    values.map(idOf),
  ]);
  return new Map(rows.map(({ value, id }) => [value, id]));
}

const idOf = (value: string) => {
  const id = readId("sub", value);
  return typeof id === "string" ? uuidOf(id) : null;
};

/**
 * Finds and locks the members of a group with these ids that are no longer users of the connection, because a person
 * discarded the removal of their membership.
 */
export async function findFormerUsers(
  ctx: TxCtx,
  connection: Connection,
  groupId: Id<"grp"> | null,
  values: string[],
): Promise<FoundUsers> {
  const ids = values.filter((value) => idOf(value) !== null);
  if (groupId === null || ids.length === 0) return new Map();
  const rows = await ctx.tx.sql<{ value: string; id: Id<"sub"> }>(
    `SELECT given.value, s.id FROM unnest($4::text[], $5::uuid[]) AS given (value, id)
     CROSS JOIN LATERAL (SELECT subject_id, group_id, added_at FROM group_members WHERE org_id = $1 AND group_id = $3 AND subject_id = given.id OFFSET 0) m
     CROSS JOIN LATERAL (SELECT id FROM subjects WHERE org_id = $1 AND id = m.subject_id AND erased_at IS NULL OFFSET 0 FOR KEY SHARE) s
     WHERE ${isShown}`,
    [ctx.orgId, connection.id, groupId, ids, ids.map(idOf)],
  );
  return new Map(rows.map(({ value, id }) => [value, id]));
}

// hidden_at is compared outside, so that PostgreSQL uses the primary key.
const find = (lock: string) => `
SELECT given.value, s.id FROM unnest($3::text[], $4::uuid[]) AS given (value, id)
CROSS JOIN LATERAL (
  SELECT subject_id, hidden_at FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = given.id OFFSET 0
) u
CROSS JOIN LATERAL (SELECT id FROM subjects WHERE org_id = $1 AND id = u.subject_id AND erased_at IS NULL OFFSET 0 ${lock}) s
WHERE given.id IS NOT NULL AND u.hidden_at IS NULL
UNION ALL
SELECT given.value, s.id FROM unnest($3::text[], $4::uuid[]) AS given (value, id)
CROSS JOIN LATERAL (
  SELECT subject_id FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND external_id = given.value AND hidden_at IS NULL OFFSET 0
) u
CROSS JOIN LATERAL (SELECT id FROM subjects WHERE org_id = $1 AND id = u.subject_id AND erased_at IS NULL OFFSET 0 ${lock}) s
WHERE given.id IS NULL`;

const notDeleted = `NOT EXISTS (
  SELECT FROM (SELECT hidden_at FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = s.id OFFSET 0) u WHERE u.hidden_at IS NOT NULL)`;

const findAnybody = (lock: string) => `${find(lock)}
UNION ALL
SELECT given.value, s.id FROM unnest($3::text[], $4::uuid[]) AS given (value, id)
CROSS JOIN LATERAL (SELECT id FROM subjects WHERE org_id = $1 AND id = given.id AND erased_at IS NULL OFFSET 0 ${lock}) s
WHERE given.id IS NOT NULL AND ${notDeleted}
UNION ALL
SELECT given.value, s.id FROM unnest($3::text[], $4::uuid[]) AS given (value, id)
CROSS JOIN LATERAL (SELECT id FROM subjects WHERE org_id = $1 AND external_id = given.value AND erased_at IS NULL OFFSET 0 ${lock}) s
WHERE given.id IS NULL AND ${notDeleted}`;
