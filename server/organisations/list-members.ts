import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { memberColumns, memberView, type MemberRow } from "./member-view";

/** Lists the members of the organisation, newest first. */
export const listMembers = query({
  name: "members.list",
  scope: "members:read",
  input: z.strictObject(page),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "members"],
      fetch: ({ after, take, skip }) =>
        sql<MemberRow>(
          `SELECT ${memberColumns} FROM memberships m JOIN users u ON u.id = m.user_id
           WHERE m.org_id = $1 AND ($2::uuid IS NULL OR m.id < $2) ORDER BY m.id DESC LIMIT $3 OFFSET $4`,
          [ctx.orgId, after, take, skip],
        ),
      count: async () =>
        (await sql<{ n: number }>(`SELECT count(*) AS n FROM memberships WHERE org_id = $1`, [ctx.orgId]))[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(memberView) };
  },
});
