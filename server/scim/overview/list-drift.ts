import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadScimConnector } from "../connection";
import { driftCauses, driftSql, type DriftCause } from "./drift";

interface DriftRow {
  id: Id<"sub"> | null;
  external_id: string;
  display_name: string;
  cause: DriftCause;
  since: Date;
  /** The source of a person whom the directory does not have. */
  sources: string[];
}

/** SQL: the order of a side. Members who were never sent as users have no id. */
const orders = {
  there: { key: "coalesce(id::text, external_id)", type: "text" },
  gone: { key: "id", type: "uuid" },
  never: { key: "id", type: "uuid" },
};

/** SQL: whether the name or external id of a person contains the text $4. An empty text matches everybody. */
const isSought = `($4 = '' OR strpos(lower(display_name), $4) > 0 OR strpos(lower(external_id), $4) > 0)`;

/**
 * Lists one side of the differences between a directory and the organisation, of one cause or of all. Requires
 * subjects:read too, because it names people.
 */
export const listDrift = query({
  name: "connectors.directory.drift",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("con"),
    side: z.enum(["there", "gone", "never"]),
    cause: z.enum(Object.values(driftCauses).flat()).optional(),
    q: z.string().trim().max(200).default(""),
    ...page,
  }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const { side, cause = null, q } = input;
    const asked = [ctx.orgId, connection.id, cause, q.toLowerCase()];
    const { key, type } = orders[side];
    const rows = `(${driftSql[side]}) differing WHERE ($3::text IS NULL OR cause = $3) AND ${isSought}`;
    const found = await paginate(input, {
      binding: [ctx.orgId, "drift", connection.id, side, cause ?? "", q],
      fetch: ({ after, take, skip }) =>
        sql<DriftRow>(
          `SELECT found.*, ARRAY(
             SELECT DISTINCT type FROM subject_sources WHERE org_id = ${opaque("$1")} AND subject_id = found.id AND type IN ('api', 'console') ORDER BY type
           ) AS sources
           FROM (SELECT * FROM ${rows} AND ($5::${type} IS NULL OR ${key} > $5) ORDER BY ${key} LIMIT $6 OFFSET $7) found
           ORDER BY ${key}`,
          [...asked, after, take, skip],
        ),
      count: async () => (await sql<{ n: number }>(`SELECT count(*) AS n FROM ${rows}`, asked))[0]!.n,
      keyOf: (row) => row.id ?? row.external_id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: row.id && publicId("sub", row.id),
        externalId: row.external_id,
        displayName: row.display_name,
        cause: row.cause,
        since: row.since.toISOString(),
        sources: row.sources,
      })),
    };
  },
});
