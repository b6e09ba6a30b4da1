import { z } from "zod";
import { audit } from "@/server/access/audit";
import { providedElsewhere } from "@/server/connectors/run/plan";
import { requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { connectionOf } from "../connection";
import { gate } from "../removals/gate";
import { endPeople } from "../removals/end-people";
import { loadUser } from "./row";

/**
 * Deletes a user (RFC 7644 section 3.6): SCIM does not find them any more, and they are deactivated unless another
 * source has them. Nobody is removed, since a record of credentials names people for good; a POST restores them.
 * Beyond the limit they stay active until a person approves. Leaves an audit entry, since the person may not change.
 */
export const deleteScimUser = command({
  name: "scim.users.delete",
  scope: "scim",
  input: z.strictObject({ id: z.string(), ifMatch: z.string().optional() }),
  async run(ctx, input) {
    const connection = await connectionOf(ctx);
    const before = await loadUser(ctx, connection, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, `"${before.version}"`);
    await ctx.tx.sql(
      `UPDATE scim_users SET hidden_at = $4, version = version + 1, updated_at = $4 WHERE org_id = $1 AND connector_id = $2 AND subject_id = $3`,
      [ctx.orgId, connection.id, before.subject_id, ctx.now],
    );
    await audit(
      ctx,
      "scim_user.deleted",
      { type: "subject", id: publicId("sub", before.subject_id) },
      { connectorId: publicId("con", connection.id) },
    );
    const [subject] = await ctx.tx.sql<{ ends: boolean }>(
      `SELECT status = 'active' AND NOT ${providedElsewhere("s.id")} AS ends FROM subjects s WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, before.subject_id, connection.id],
    );
    const removal = { subjectId: before.subject_id, cause: "deleted" as const };
    if (subject?.ends && !(await gate(ctx, connection, [removal]))) return;
    await endPeople(ctx, connection, [removal]);
  },
});
