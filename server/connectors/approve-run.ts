import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadConnector } from "./load";
import { lockRuns } from "./lock-runs";
import { loadRun, runColumns, runView, type RunRow } from "./run-view";
import { stillDue } from "./run/remove";
import type { Phase } from "./run/work";
import { notHeld } from "./run-state";

/**
 * Approves a held run: deactivates exactly the people that it staged for deactivation, or applies the whole file if the
 * run was held before anything was applied. If some staged deactivations are no longer due, nothing happens unless
 * `expectedCount` is the number of those that still are. Leaves an audit entry.
 *
 * @throws DomainError run_state, count_mismatch; run_in_progress while a newer run of the connector changes people
 */
export const approveConnectorRun = command({
  name: "connectors.runs.approve",
  scope: "connectors:approve",
  input: z.strictObject({
    id: id("con"),
    run: id("run"),
    expectedCount: z.int().min(0).optional().meta({
      description:
        "How many removals you expect: deactivations and counted ends of memberships. All that the run holds unless sent.",
    }),
  }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    const unfinished = await lockRuns(ctx, connector.id);
    const run = await loadRun(ctx, connector.id, input.run, "FOR UPDATE");
    if (run.status !== "held") throw await notHeld(ctx, run);
    if (unfinished.some(({ id, phase }) => id > run.id && changing.has(phase))) throw newerFile();
    const [left] = await ctx.tx.sql<{ due: number }>(
      `SELECT count(*) FILTER (WHERE ${stillDue}) AS due
       FROM (SELECT subject_id, cause FROM connector_removals WHERE org_id = $1 AND run_id = $2 AND state = 'staged') removal
       CROSS JOIN LATERAL (SELECT status, erased_at FROM subjects WHERE org_id = $1 AND id = removal.subject_id OFFSET 0) s`,
      [ctx.orgId, run.id, connector.id],
    );
    const [members] = await ctx.tx.sql<{ due: number }>(
      `SELECT count(*) AS due FROM connector_member_changes ended
       WHERE ended.org_id = $1 AND ended.run_id = $2 AND ended.state = 'staged' AND ended.counted AND EXISTS (
         SELECT FROM connector_memberships m WHERE m.org_id = $1 AND m.group_id = ended.group_id AND m.subject_id = ended.subject_id AND m.connector_id = $3 OFFSET 0)`,
      [ctx.orgId, run.id, connector.id],
    );
    const due = left!.due + members!.due;
    const expectedCount = input.expectedCount ?? run.held;
    if (due !== expectedCount)
      throw new DomainError(
        "count_mismatch",
        `${due} of the ${run.held} removals that the run holds are still due, not ${expectedCount}: people were changed, erased or provided by another source since. Nothing was done. Look at the list again and send expectedCount ${due}.`,
        { members: { count: due, expectedCount } },
      );
    const isWhole = run.hold?.reason === "lost_values";
    const [row] = await ctx.tx.sql<RunRow>(
      isWhole
        ? planAgain
        : `UPDATE connector_runs SET status = 'running', phase = 'grouping', approved = true, actor = $3, scopes = $4, access_token = $5, finished_at = NULL WHERE org_id = $1 AND id = $2 RETURNING ${runColumns}`,
      [ctx.orgId, run.id, ctx.actor, [...ctx.scopes], ctx.accessToken ?? null],
    );
    await audit(
      ctx,
      "connector_run.approved",
      { type: "connector_run", id: publicId("run", run.id) },
      {
        connectorId: publicId("con", connector.id),
        ...(isWhole ? { rows: run.rows } : { deactivations: left!.due, memberships: members!.due }),
      },
    );
    if (!isWhole)
      await ctx.tx.sql(
        `UPDATE connector_member_changes SET state = 'planned' WHERE org_id = $1 AND run_id = $2 AND state = 'staged'`,
        [ctx.orgId, run.id],
      );
    ctx.tx.nudgeAfterCommit("connectors");
    return runView(row!);
  },
});

/**
 * The phases in which a run changes people. A newer run drops what older runs hold for the people that it lists, so the
 * held removals are final only between two runs (docs/decisions/681).
 */
const changing = new Set<Phase>(["applying", "grouping", "removing", "undoing"]);

const newerFile = () =>
  new DomainError(
    "run_in_progress",
    "A newer file of this connector is being applied, and may list people who wait here. Nothing was done. Wait until that run has ended, and look at the list again.",
  );

/** Plans a run again that was held before anything was applied. Deactivations above the limit are then held separately. */
const planAgain = `UPDATE connector_runs SET status = 'running', phase = 'planning', hold = NULL, file = file || '{"isLossApproved": true}', actor = $3, scopes = $4, access_token = $5, finished_at = NULL WHERE org_id = $1 AND id = $2 RETURNING ${runColumns}`;
