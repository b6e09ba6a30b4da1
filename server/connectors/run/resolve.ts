import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { keptAgainstStatus, providedElsewhere } from "./elsewhere";

/** Whom a row of a feed is about. */
export interface Known {
  id: Id<"sub">;
  external_id: string;
  status: string;
  /** The connector provides them already. */
  provided: boolean;
  /** They were missing from its last full file. */
  missing: boolean;
  /** It deactivated them then. */
  ended: boolean;
  /** The connector calls them inactive. */
  inactive: boolean;
  /** Another live source provides them. */
  elsewhere: boolean;
  /** Another live source keeps them active when this one calls them inactive. */
  kept: boolean;
  /** Connectors that come first where both map a field, and provide them too. */
  first: Id<"con">[];
}

/**
 * Whom these keys are about: whom the connector knows by the key, else who has it as externalId.
 * @param before connectors that come first (priority)
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
       ARRAY(SELECT source_id FROM subject_sources first WHERE first.org_id = $1 AND first.subject_id = s.id AND first.source_id = ANY($4::uuid[]) OFFSET 0) AS first
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
