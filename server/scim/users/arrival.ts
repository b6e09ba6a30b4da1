import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { ErasureKeyRow } from "@/server/subjects/erased";
import type { Connection } from "../connection";
import type { Fields } from "../protocol/values";
import { exactName } from "./known";
import { keyOf } from "@/server/connectors/directory/map-user";
import { fold } from "@/server/connectors/directory/fold";
import type { UserRow } from "./row";

/** The existing data about a user whom a directory creates. */
export interface Arrival {
  erasureKey: ErasureKeyRow | undefined;
  /** The groups of the connection that await a member with this externalId. */
  awaiting: Id<"grp">[];
  /** Whether the organisation has a person, or the connection a user, with one of the keys of the new one. */
  isKnown: boolean;
  /** Users whom the connection has or had under the key or the userName. */
  former: Former[];
}

interface Former extends Pick<UserRow, "subject_id" | "external_id" | "hidden_at"> {
  by_key: boolean;
}

/**
 * Reads the existing data about a user whom a directory creates. It is one statement, because most users are new, and
 * the fewer statements each needs, the faster is the first import of a directory.
 */
export async function readArrival(ctx: TxCtx, connection: Pick<Connection, "id">, resource: Fields): Promise<Arrival> {
  const { userName, externalId } = resource;
  const key = keyOf(resource);
  const rows = await ctx.tx.sql<Columns>(select, [
    ctx.orgId,
    connection.id,
    key,
    typeof userName === "string" ? fold(userName) : "",
    externalId === undefined,
    [key, ...exactName(resource)],
    typeof externalId === "string" ? externalId : null,
  ]);
  const { erasure_key, awaiting, is_known } = rows[0]!;
  return {
    erasureKey: erasure_key === null ? undefined : { key: erasure_key },
    awaiting,
    isKnown: is_known,
    former: rows.filter((row): row is Columns & Former => row.subject_id !== null),
  };
}

interface Columns extends Omit<Former, "subject_id"> {
  erasure_key: Buffer | null;
  awaiting: Id<"grp">[];
  is_known: boolean;
  subject_id: Id<"sub"> | null;
}

const columns = "subject_id, external_id, hidden_at";
const select = `
SELECT (SELECT key FROM erasure_keys WHERE org_id = $1) AS erasure_key,
  ARRAY(SELECT DISTINCT group_id FROM scim_pending_members WHERE org_id = $1 AND connector_id = $2 AND value = $7 AND leaving_since IS NULL) AS awaiting,
  EXISTS (SELECT FROM subject_sources WHERE org_id = $1 AND source_id = $2 AND key = ANY($6::text[]))
    OR EXISTS (SELECT FROM subjects WHERE org_id = $1 AND external_id = ANY($6::text[])) AS is_known,
  former.*
FROM (SELECT) asked LEFT JOIN LATERAL (
  SELECT ${columns}, true AS by_key FROM scim_users u WHERE org_id = $1 AND connector_id = $2 AND subject_id =
    (SELECT o.subject_id FROM subject_sources o WHERE o.org_id = $1 AND o.source_id = $2 AND o.key = $3)
  UNION ALL (
    SELECT ${columns}, false FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND user_key = $4 AND hidden_at IS NULL
  ) UNION ALL (
    SELECT ${columns}, false FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND user_key = $4 AND hidden_at IS NOT NULL
      AND (external_id IS NULL OR $5::boolean) ORDER BY hidden_at DESC LIMIT 1
  )
) former ON true`;
