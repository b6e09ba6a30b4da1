import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { loadScimConnector } from "../connection";
import { endPeople } from "./end-people";
import { countStaged, decisionInput, takeStaged, type Decision } from "./take-staged";

/**
 * Does what a directory asked for and what waits for a person: all of it, or that of single people. What is no longer
 * due is dropped. Leaves an audit entry.
 */
export const approveStagedRemovals = command({
  name: "connectors.staged.approve",
  scope: "connectors:approve",
  input: decisionInput,
  async run(ctx, input): Promise<Decision> {
    const connection = await loadScimConnector(ctx, input.id);
    const removals = await takeStaged(ctx, connection, { ids: input.ids, state: "applied" });
    const ended = await endPeople(ctx, connection, removals);
    const decision = {
      deactivated: ended.length,
      membershipsRemoved: 0,
      dropped: removals.length - ended.length,
      remaining: await countStaged(ctx, connection),
    };
    await audit(
      ctx,
      "connector.staged_approved",
      { type: "connector", id: publicId("con", connection.id) },
      { ...decision },
    );
    return decision;
  },
});
