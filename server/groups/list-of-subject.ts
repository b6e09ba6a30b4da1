import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadSubject } from "@/server/subjects/load";
import { groupColumns, groupView, type GroupRow } from "./view";

/** Lists the groups that a person is in, newest groups first. */
export const listGroupsOfSubject = query({
  name: "subjects.groups",
  scope: "groups:read",
  input: z.strictObject({ id: id("sub"), ...page }),
  async run(ctx, input) {
    const subject = await loadSubject(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "groups of subject", subject.id],
      fetch: ({ after, take, skip }) =>
        sql<GroupRow>(
          `SELECT its.* FROM (
             SELECT group_id FROM group_members
             WHERE org_id = $1 AND subject_id = $2 AND ($3::uuid IS NULL OR group_id < $3::uuid)
             ORDER BY group_id DESC LIMIT $4 OFFSET $5
           ) held CROSS JOIN LATERAL (SELECT ${groupColumns} FROM groups WHERE org_id = ${opaque("$1")} AND id = held.group_id OFFSET 0) its
           ORDER BY its.id DESC`,
          [ctx.orgId, subject.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(`SELECT count(*) AS n FROM group_members WHERE org_id = $1 AND subject_id = $2`, [
            ctx.orgId,
            subject.id,
          ])
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(groupView) };
  },
});
