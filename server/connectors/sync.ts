import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadConnector } from "./load";
import { queueRun, requireRoom } from "./run/queue-run";
import { runColumns, runView, type RunRow } from "./run-view";
import { fetches } from "./types";
import { paused } from "./upload";

/**
 * Queues a run that fetches the connector's source. If a run waits that has not started to fetch, returns that run, because
 * both would fetch the same. Runs of one connector are done one after another. Leaves an audit entry.
 *
 * @throws DomainError connector_type for a connector that fetches nothing; connector_paused
 */
export const syncConnector = command({
  name: "connectors.sync",
  scope: "connectors:run",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id, "FOR UPDATE");
    if (!fetches(connector))
      throw new DomainError(
        "connector_type",
        `A connector of type ${connector.type} fetches nothing, because its people are sent to it. Upload a file, or create a connector of type http.`,
      );
    if (connector.status === "paused") throw paused();
    const [waiting] = await ctx.tx.sql<RunRow>(
      `SELECT ${runColumns} FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND status = 'queued' AND phase = 'fetching' LIMIT 1`,
      [ctx.orgId, connector.id],
    );
    if (waiting) return runView(waiting);
    await requireRoom(ctx);
    const { actor, scopes, accessToken } = ctx;
    return runView(await queueRun(ctx, connector, { trigger: "sync", actor, scopes, accessToken }));
  },
});
