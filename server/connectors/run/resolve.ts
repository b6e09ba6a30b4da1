import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { FieldName } from "../map-row";
import { keptAgainstStatus, providedElsewhere } from "./elsewhere";

/** The person of a row, as far as the decision about the row needs it. */
export interface Known {
  id: Id<"sub">;
  external_id: string;
  status: string;
  /** Whether the connector provides the person already. */
  provided: boolean;
  /** Whether the person was missing from the connector's last full file. */
  missing: boolean;
  /** Whether the connector deactivated the person because of that. */
  ended: boolean;
  /** Whether the connector last marked the person as inactive. */
  inactive: boolean;
  /** Whether another live source provides the person. */
  elsewhere: boolean;
  /** Whether another live source keeps the person active if this connector marks them as inactive. */
  kept: boolean;
  /** The connectors with higher precedence that provide the person too. One that no longer lists the person decides nothing. */
  first: Preceding[];
}

export interface Preceding {
  id: Id<"con">;
  /** The fields that a directory gives a value; null for a file, which states every field that it maps. */
  stated: FieldName[] | null;
}

/**
 * Finds the people of these keys: the person that the connector knows under the key, else the person whose externalId it is.
 * @param before the connectors with higher precedence
 */
export async function resolve(
  ctx: Ctx,
  connectorId: Id<"con"> | null,
  keys: string[],
  before: Id<"con">[],
): Promise<(Known | null)[]> {
  const rows = await reading(ctx).sql<Omit<Known, "id"> & { id: Known["id"] | null }>(
    `SELECT s.*, o.subject_id IS NOT NULL AS provided, o.missing_since IS NOT NULL AS missing, coalesce(o.ended, false) AS ended, coalesce(o.inactive, false) AS inactive,
       ${providedElsewhere("s.id")} AS elsewhere, ${keptAgainstStatus("s.id")} AS kept,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', first.source_id, 'stated', first.stated)), '[]') FROM (
         SELECT source_id, stated FROM subject_sources WHERE org_id = $1 AND subject_id = s.id AND source_id = ANY($4::uuid[]) AND missing_since IS NULL OFFSET 0
       ) first) AS first
     FROM unnest($2::text[]) WITH ORDINALITY AS given (key, n)
     LEFT JOIN LATERAL (
       SELECT subject_id, missing_since, ended, inactive FROM subject_sources WHERE org_id = $1 AND source_id = $3 AND key = given.key OFFSET 0
     ) o ON true
     LEFT JOIN LATERAL (
       SELECT id, external_id, status FROM subjects WHERE org_id = $1 AND id = o.subject_id
       UNION ALL
       SELECT id, external_id, status FROM subjects WHERE org_id = $1 AND external_id = given.key AND o.subject_id IS NULL
       LIMIT 1
     ) s ON true
     ORDER BY given.n`,
    [ctx.orgId, keys, connectorId, before],
  );
  return rows.map(({ id, ...row }) => (id === null ? null : { ...row, id }));
}
