import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadConnector } from "./load";

/**
 * The differences between the files of a connector and the organisation. `inactive`: the last file lists them, and they
 * are not active here. `missing`: the last full file lacks them, and they are active here.
 */
export const differenceKinds = ["inactive", "missing"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

interface Row {
  id: Id<"sub">;
  key: string;
  external_id: string;
  display_name: string;
  since: Date;
  /** The other sources that keep the person active here. */
  sources: string[];
}

/** SQL: the people of each kind. $1 is the organisation, $2 the connector. Those of another connector are its own. */
const peopleOf: Record<DifferenceKind, string> = {
  inactive: `
SELECT s.id, o.key, s.external_id, s.display_name, s.updated_at AS since FROM own o
CROSS JOIN LATERAL (SELECT id, external_id, display_name, status, updated_at FROM subjects WHERE org_id = ${opaque("$1")} AND id = o.subject_id AND erased_at IS NULL OFFSET 0) s
WHERE o.missing_since IS NULL AND NOT o.inactive AND s.status <> 'active'`,
  missing: `
SELECT s.id, o.key, s.external_id, s.display_name, o.missing_since AS since FROM own o
CROSS JOIN LATERAL (SELECT id, external_id, display_name, status FROM subjects WHERE org_id = ${opaque("$1")} AND id = o.subject_id OFFSET 0) s
WHERE o.missing_since IS NOT NULL AND s.status = 'active' AND NOT EXISTS (
  SELECT FROM subject_sources other JOIN connectors c ON c.org_id = ${opaque("$1")} AND c.id = other.source_id AND c.deleted_at IS NULL
  WHERE other.org_id = ${opaque("$1")} AND other.subject_id = s.id AND other.source_id <> $2 AND other.missing_since IS NULL AND NOT other.inactive OFFSET 0)`,
};

const own = `WITH own AS (SELECT subject_id, key, missing_since, inactive FROM subject_sources WHERE org_id = $1 AND source_id = $2 AND key IS NOT NULL)`;

/**
 * Lists the people for whom the files of a connector and the organisation differ, in the order of the connector's keys.
 * Requires subjects:read too, because it names people.
 */
export const listFeedDifferences = query({
  name: "connectors.differences",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con"), kind: z.enum(differenceKinds), ...page }),
  async run(ctx, input) {
    const { id: connectorId } = await loadConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const rows = `(${peopleOf[input.kind]}) differing`;
    const found = await paginate(input, {
      binding: [ctx.orgId, "feed_differences", connectorId, input.kind],
      fetch: ({ after, take, skip }) =>
        sql<Row>(
          `${own} SELECT found.*, ARRAY(
             SELECT DISTINCT type FROM subject_sources WHERE org_id = ${opaque("$1")} AND subject_id = found.id AND type IN ('api', 'console') ORDER BY type
           ) AS sources
           FROM (SELECT * FROM ${rows} WHERE ($3::text IS NULL OR key > $3) ORDER BY key LIMIT $4 OFFSET $5) found ORDER BY key`,
          [ctx.orgId, connectorId, after, take, skip],
        ),
      count: async () =>
        (await sql<{ n: number }>(`${own} SELECT count(*) AS n FROM ${rows}`, [ctx.orgId, connectorId]))[0]!.n,
      keyOf: (row) => row.key,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: publicId("sub", row.id),
        externalId: row.external_id,
        displayName: row.display_name,
        since: row.since.toISOString(),
        sources: row.sources,
      })),
    };
  },
});
