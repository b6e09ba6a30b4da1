import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadScimConnector } from "../connection";

interface DirectoryGroupRow {
  id: Id<"grp">;
  display_name: string;
  members: number;
  awaited: number;
  updated_at: Date;
}

/** Lists the groups of a directory, with how many members they have and how many are unknown yet. */
export const listDirectoryGroups = query({
  name: "connectors.directory.groups",
  scope: "connectors:read",
  alsoScope: "groups:read",
  input: z.strictObject({ id: id("con"), ...page }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const which = `org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL`;
    const found = await paginate(input, {
      binding: [ctx.orgId, "scim_groups", connection.id],
      fetch: ({ after, take, skip }) =>
        sql<DirectoryGroupRow>(
          `SELECT own.*, (SELECT count(*) FROM group_members WHERE org_id = ${opaque("$1")} AND group_id = own.id) AS members,
             (SELECT count(*) FROM scim_pending_members WHERE org_id = ${opaque("$1")} AND group_id = own.id) AS awaited
           FROM (SELECT group_id AS id, display_name, updated_at FROM scim_groups
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
        updatedAt: row.updated_at.toISOString(),
      })),
    };
  },
});
