import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { loadGroup } from "./load";

/**
 * Returns which of these people a directory asked to remove from the group, if that waits for approval, and the number
 * of all such removals of the group.
 */
export const listStagedMembers = query({
  name: "groups.members.staged",
  scope: "groups:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("grp"), subjectIds: z.array(id("sub")).max(100) }),
  async run(ctx, input) {
    const group = await loadGroup(ctx, input.id);
    const { sql } = reading(ctx);
    const [rows, [waiting]] = await Promise.all([
      sql<{ id: Id<"sub"> }>(
        `SELECT given.id FROM unnest($3::uuid[]) AS given (id)
         CROSS JOIN (SELECT connector_id FROM scim_groups WHERE org_id = $1 AND group_id = $2 OFFSET 0) g
         WHERE EXISTS (
           SELECT FROM scim_removals r
           WHERE r.org_id = ${opaque("$1")} AND r.connector_id = g.connector_id AND r.subject_id = given.id AND r.group_id = $2 AND r.state = 'staged' OFFSET 0
         )`,
        [ctx.orgId, group.id, input.subjectIds],
      ),
      sql<{ total: number }>(
        `SELECT count(*) AS total FROM (SELECT connector_id FROM scim_groups WHERE org_id = $1 AND group_id = $2) g
         JOIN scim_removals r ON r.org_id = ${opaque("$1")} AND r.connector_id = g.connector_id AND r.group_id = $2 AND r.state = 'staged'`,
        [ctx.orgId, group.id],
      ),
    ]);
    return { total: waiting!.total, subjectIds: rows.map((row) => publicId("sub", row.id)) };
  },
});
