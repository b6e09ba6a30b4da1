import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadGroup } from "./load";

export const groupMemberSchema = z
  .object({
    object: z.literal("group_member"),
    subjectId: z.string(),
    externalId: z.string(),
    displayName: z.string(),
    email: z.string().nullable(),
    status: z.enum(["active", "inactive"]),
    addedAt: z.iso.datetime(),
    staged: z.boolean().meta({
      description: "Whether a directory took them out beyond its limit, which a person has not approved yet.",
    }),
  })
  .meta({ id: "GroupMember" });

interface MemberRow {
  id: Id<"sub">;
  external_id: string;
  display_name: string;
  email: string | null;
  status: "active" | "inactive";
  added_at: Date;
  staged: boolean;
}

/**
 * Lists the members of a group, newest people first. GET /v1/subjects?groupId= can search and sort them. Requires
 * subjects:read too, because the answer names people (docs/decisions/361).
 */
export const listGroupMembers = query({
  name: "groups.members.list",
  scope: "groups:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("grp"), ...page }),
  async run(ctx, input) {
    const group = await loadGroup(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "group_members", group.id],
      fetch: ({ after, take, skip }) =>
        sql<MemberRow>(
          `SELECT m.subject_id AS id, s.external_id, s.display_name, s.email, s.status, m.added_at,
             EXISTS (SELECT FROM scim_removals waits WHERE waits.org_id = m.org_id AND waits.subject_id = m.subject_id AND waits.group_id = m.group_id AND waits.state = 'staged' AND waits.staged_at >= m.added_at OFFSET 0) AS staged
           FROM group_members m
           CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND id = m.subject_id OFFSET 0) s
           WHERE m.org_id = $1 AND m.group_id = $2 AND ($3::uuid IS NULL OR m.subject_id < $3::uuid)
           ORDER BY m.subject_id DESC LIMIT $4 OFFSET $5`,
          [ctx.orgId, group.id, after, take, skip],
        ),
      count: () => Promise.resolve(group.member_count),
      keyOf: (row) => row.id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        object: "group_member" as const,
        subjectId: publicId("sub", row.id),
        externalId: row.external_id,
        displayName: row.display_name,
        email: row.email,
        status: row.status,
        addedAt: row.added_at.toISOString(),
        staged: row.staged,
      })),
    };
  },
});
