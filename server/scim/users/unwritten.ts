import type { Ctx, TxCtx } from "@/server/core/context";
import { isUniqueViolation, reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { provide } from "@/server/subjects/provide";
import type { Connection } from "../connection";
import { fold } from "@/server/connectors/directory/fold";
import { userColumns, type UserRow } from "./row";
import { taken } from "./taken";

/**
 * SQL: the people of organisation $1 who have no row of connection $2 in `scim_users`, in the columns of that table.
 * The default connection sees them as users whose userName and externalId are their external id.
 */
export const unwritten = `(
  SELECT s.org_id, $2::uuid AS connector_id, s.id AS subject_id, s.external_id AS user_key, s.external_id, s.status = 'active' AS active, s.search,
    CASE WHEN s.email IS NULL THEN '{}' ELSE ARRAY[lower(s.email)] END AS emails,
    jsonb_strip_nulls(jsonb_build_object('userName', s.external_id, 'externalId', s.external_id, 'displayName', nullif(s.display_name, ''), 'active', s.status = 'active',
      'emails', CASE WHEN s.email IS NOT NULL THEN jsonb_build_array(jsonb_build_object('value', s.email, 'type', 'work', 'primary', true)) END)) AS resource,
    (1 + (extract(epoch FROM s.updated_at) * 1000)::bigint % 1000000000)::int AS version, NULL::timestamptz AS hidden_at, s.created_at, s.updated_at
  FROM subjects s
  WHERE s.org_id = ${opaque("$1")} AND s.erased_at IS NULL
    AND NOT EXISTS (SELECT FROM scim_users own WHERE own.org_id = ${opaque("$1")} AND own.connector_id = $2 AND own.subject_id = s.id)
) scim_users`;

/** Finds a person whom the default connection has not written yet. */
export async function findUnwritten(
  ctx: Ctx,
  connection: Connection,
  by: { id: Id<"sub"> | null } | { keys: string[] },
): Promise<UserRow | undefined> {
  const [condition, value] = "id" in by ? ["subject_id = $3", by.id] : ["external_id = ANY($3::text[])", by.keys];
  const [row] = await reading(ctx).sql<UserRow>(
    `SELECT ${userColumns} FROM ${unwritten} WHERE org_id = ${opaque("$1")} AND ${condition} LIMIT 1`,
    [ctx.orgId, connection.id, value],
  );
  return row;
}

/**
 * Stores the `scim_users` row of a person whom the default connection is about to change. From then on the connection
 * provides the person, and answers that row. Call it with the person locked.
 */
export async function writeDown(ctx: TxCtx, connection: Connection, id: Id<"sub">): Promise<void> {
  const row = await findUnwritten(ctx, connection, { id });
  if (!row) return;
  const { external_id: key, active, resource, version, created_at, updated_at } = row;
  const { emails = [] } = resource as { emails?: { value: string }[] };
  try {
    await ctx.tx.sql(
      `INSERT INTO scim_users (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, version, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        ctx.orgId,
        connection.id,
        id,
        fold(key!),
        key,
        active,
        emails.map(({ value }) => fold(value)),
        JSON.stringify(resource),
        version,
        created_at,
        updated_at,
      ],
    );
    await provide(ctx, { type: "scim", id: connection.id }, [
      { subjectId: id, key: key!, inactive: !active, stated: [] },
    ]);
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
  ctx.tx.wrote("scim_users", 1);
}
