import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadScimConnector, type Connection } from "../connection";
import { countStaged, decisionInput, takeStaged, type Decision } from "./take-staged";

/**
 * Drops what a directory asked for and what waits for a person: SCIM shows again what is applied, so that the directory
 * sees the difference. Leaves an audit entry.
 */
export const discardStagedRemovals = command({
  name: "connectors.staged.discard",
  scope: "connectors:approve",
  input: decisionInput,
  async run(ctx, input): Promise<Decision> {
    const connection = await loadScimConnector(ctx, input.id);
    const removals = await takeStaged(ctx, connection, { ids: input.ids, state: "dropped" });
    const people = removals.filter(({ cause }) => cause !== "member").map(({ subjectId }) => subjectId);
    await showAgain(ctx, connection, people);
    const decision = {
      deactivated: 0,
      membershipsRemoved: 0,
      dropped: removals.length,
      remaining: await countStaged(ctx, connection),
    };
    await audit(
      ctx,
      "connector.staged_discarded",
      { type: "connector", id: publicId("con", connection.id) },
      { ...decision },
    );
    return decision;
  },
});

/** People who were deleted stay hidden where somebody else has their userName by now. */
async function showAgain(ctx: TxCtx, connection: Connection, people: Id<"sub">[]): Promise<void> {
  if (people.length === 0) return;
  await ctx.tx.sql(
    `UPDATE scim_users u SET active = true, resource = u.resource || '{"active": true}', version = u.version + 1, updated_at = $4,
       hidden_at = CASE WHEN EXISTS (
         SELECT FROM scim_users other WHERE other.org_id = $1 AND other.connector_id = $2 AND other.user_key = u.user_key AND other.hidden_at IS NULL
       ) THEN u.hidden_at END
     WHERE u.org_id = $1 AND u.connector_id = $2 AND u.subject_id = ANY($3::uuid[])`,
    [ctx.orgId, connection.id, people, ctx.now],
  );
}
