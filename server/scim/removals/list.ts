import { z } from "zod";
import { loadConnector } from "@/server/connectors/load";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { isDue } from "./due";

export const stagedRemovalSchema = z
  .object({
    subjectId: z.string(),
    externalId: z.string(),
    displayName: z.string(),
    cause: z.enum(["status", "deleted", "member"]).meta({
      description:
        "status: the directory deactivated them. deleted: it deleted them. member: it took them out of the group.",
    }),
    groupId: z.string().nullable(),
    groupName: z.string().nullable(),
    stagedAt: z.iso.datetime(),
  })
  .meta({ id: "StagedRemoval" });

interface StagedRow {
  id: Id<"run">;
  subject_id: Id<"sub">;
  external_id: string;
  display_name: string;
  cause: "status" | "deleted" | "member";
  group_id: Id<"grp"> | null;
  group_name: string | null;
  staged_at: Date;
}

/**
 * SQL: whether the name or external id of the person of removal `r` contains the text $3. An empty text matches
 * everybody.
 */
const isSought = `($3 = '' OR EXISTS (SELECT FROM subjects s WHERE s.org_id = ${opaque("$1")} AND s.id = r.subject_id
  AND (strpos(lower(s.display_name), $3) > 0 OR strpos(lower(s.external_id), $3) > 0) OFFSET 0))`;

/** Lists the staged removals of a directory. Requires subjects:read too, because the list names people. */
export const listStagedRemovals = query({
  name: "connectors.staged.list",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("con"),
    q: z.string().trim().max(200).default("").meta({ description: "A part of the name or of the external id." }),
    ...page,
  }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    const q = input.q.toLowerCase();
    const found = await paginate(input, {
      binding: [ctx.orgId, "scim_removals", connector.id, q],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<StagedRow>(
          `SELECT removal.*, s.external_id, s.display_name, g.name AS group_name
           FROM (SELECT id, subject_id, group_id, cause, staged_at FROM scim_removals r
                 WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND ${isDue("r")} AND ${isSought} AND ($4::uuid IS NULL OR id > $4) ORDER BY id LIMIT $5 OFFSET $6) removal
           CROSS JOIN LATERAL (SELECT external_id, display_name FROM subjects WHERE org_id = ${opaque("$1")} AND id = removal.subject_id OFFSET 0) s
           LEFT JOIN LATERAL (SELECT name FROM groups WHERE org_id = ${opaque("$1")} AND id = removal.group_id OFFSET 0) g ON true
           ORDER BY removal.id`,
          [ctx.orgId, connector.id, q, after, take, skip],
        ),
      count: async () =>
        (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM scim_removals r WHERE org_id = $1 AND connector_id = $2 AND state = 'staged' AND ${isDue("r")} AND ${isSought}`,
            [ctx.orgId, connector.id, q],
          )
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: publicId("sub", row.subject_id),
        externalId: row.external_id,
        displayName: row.display_name,
        cause: row.cause,
        groupId: row.group_id && publicId("grp", row.group_id),
        groupName: row.group_name,
        stagedAt: row.staged_at.toISOString(),
      })),
    };
  },
});
