import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadScimConnector } from "../connection";
import { isDue } from "../removals/due";

interface DirectoryGroupRow {
  id: Id<"grp">;
  display_name: string;
  members: number;
  awaited: number;
  /** Members whose staged removal waits for approval. They are among `members`. */
  leaving: number;
  /** The directory deleted it. */
  deleted: boolean;
  updated_at: Date;
}

/** SQL: the staged removals from a group of connection $2. */
const staged = (group: string) =>
  `FROM scim_removals r WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND group_id = ${group} AND state = 'staged' AND ${isDue("r")}`;

/**
 * Lists the groups of a directory with the number of their members, of unknown members, and of removals that wait for
 * approval. A group that the directory deleted is listed while removals from it wait.
 */
export const listDirectoryGroups = query({
  name: "connectors.directory.groups",
  scope: "connectors:read",
  alsoScope: "groups:read",
  input: z.strictObject({ id: id("con"), ...page }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const which = `org_id = ${opaque("$1")} AND connector_id = $2 AND (hidden_at IS NULL OR EXISTS (SELECT ${staged("scim_groups.group_id")}))`;
    const found = await paginate(input, {
      binding: [ctx.orgId, "scim_groups", connection.id],
      fetch: ({ after, take, skip }) =>
        sql<DirectoryGroupRow>(
          `SELECT own.*, (SELECT count(*) FROM group_members WHERE org_id = ${opaque("$1")} AND group_id = own.id) AS members,
             (SELECT count(*) FROM scim_pending_members WHERE org_id = ${opaque("$1")} AND group_id = own.id AND leaving_since IS NULL) AS awaited,
             (SELECT count(*) ${staged("own.id")}) AS leaving
           FROM (SELECT group_id AS id, display_name, updated_at, hidden_at IS NOT NULL AS deleted FROM scim_groups
                 WHERE ${which} AND ($3::uuid IS NULL OR group_id < $3) ORDER BY group_id DESC LIMIT $4 OFFSET $5) own
           ORDER BY own.id DESC`,
          [ctx.orgId, connection.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(`SELECT count(*) AS n FROM scim_groups WHERE ${which}`, [ctx.orgId, connection.id])
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        groupId: publicId("grp", row.id),
        displayName: row.display_name,
        members: row.members,
        awaited: row.awaited,
        leaving: row.leaving,
        deletedThere: row.deleted,
        updatedAt: row.updated_at.toISOString(),
      })),
    };
  },
});
