import { z } from "zod";
import { audit } from "@/server/access/audit";
import { keptInAbsence } from "@/server/connectors/run/elsewhere";
import { requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { dropStaged, gate } from "../removals/gate";
import { endPeople } from "../removals/end-people";
import { note } from "../requests/effect";
import { endMemberships, leaveGroups, lockGroupsOf } from "./leave-groups";
import { lockUser } from "./load";

/**
 * Deletes a user (RFC 7644 section 3.6): SCIM no longer finds the user, who leaves the groups of the connection and is
 * deactivated unless another source provides the person. The person's row stays, because credentials name their holder
 * permanently, and a POST restores it. Above the limit the user stays active until a person approves. Leaves an audit
 * entry, because the person may not change.
 */
export const deleteScimUser = command({
  name: "scim.users.delete",
  scope: "scim",
  input: z.strictObject({ id: z.string(), ifMatch: z.string().optional() }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const before = await lockUser(ctx, connection, input.id);
    requireMatch(input.ifMatch, `"${before.version}"`);
    // Before the gate locks the connection, in the same order as requests about a group.
    const groups = await lockGroupsOf(ctx, connection, before.subject_id);
    await ctx.tx.sql(
      `UPDATE scim_users SET hidden_at = $4, version = version + 1, updated_at = $4 WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3`,
      [ctx.orgId, connection.id, before.subject_id, ctx.now],
    );
    note(ctx, "deleted");
    await audit(
      ctx,
      "scim_user.deleted",
      { type: "subject", id: publicId("sub", before.subject_id) },
      { connectorId: publicId("con", connection.id) },
    );
    const [subject] = await ctx.tx.sql<{ active: boolean; kept: boolean }>(
      `SELECT status = 'active' AS active, NOT $4::boolean AND ${keptInAbsence("s.id")} AS kept FROM subjects s WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, before.subject_id, connection.id, connection.is_default],
    );
    const removal = { subjectId: before.subject_id, cause: "deleted" as const };
    // A person whom another source keeps active still leaves the groups of this directory.
    if (subject?.active && subject.kept) await leaveGroups(ctx, connection, before.subject_id, groups);
    else if (subject?.active && !(await gate(ctx, connection, [removal]))) return;
    else await endMemberships(ctx, connection, [before.subject_id]);
    // An earlier staged removal is now carried out, or no longer due.
    await dropStaged(ctx, connection, before.subject_id);
    await endPeople(ctx, connection, [removal]);
  },
});
