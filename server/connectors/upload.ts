import { z } from "zod";
import { standingOf } from "@/server/access/standing";
import { audit } from "@/server/access/audit";
import { storeBlob } from "@/server/core/blobs/store";
import { upload } from "@/server/core/blobs/upload-input";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadConnector } from "./load";
import { runColumns, runView, type RunRow } from "./run-view";
import { configOf } from "./run/config";

/** Bytes of a file as it is sent (contract section 1). */
export const fileLimit = 512 * 1024 * 1024;

/** Runs of an organisation that are not over. Their files are stored until then. */
const waitingLimit = 50;

/**
 * Hands a connector a file, and queues the run that applies it: with the mapping, the settings and the limits of this
 * moment, on behalf of who uploaded it. Leaves an audit entry.
 */
export const uploadToConnector = command({
  name: "connectors.upload",
  scope: "connectors:run",
  input: z.strictObject({ id: id("con"), file: upload }),
  standing: standingOf,
  async prepare(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    if (connector.type === "scim") throw takesNoFiles();
    if (connector.status === "paused") throw paused();
    await requireRoom(ctx);
    return storeBlob(ctx.orgId, input.file);
  },
  async run(ctx, input, sha256) {
    const connector = await loadConnector(ctx, input.id, "FOR SHARE");
    if (connector.status === "paused") throw paused();
    await requireRoom(ctx);
    const runId = newId("run");
    const [row] = await ctx.tx.sql<RunRow>(
      `INSERT INTO connector_runs (org_id, id, connector_id, trigger, actor, scopes, config, sha256, digest, created_at)
       VALUES ($1, $2, $3, 'upload', $4, $5, $6, $7, $7, $8) RETURNING ${runColumns}`,
      [ctx.orgId, runId, connector.id, ctx.actor, [...ctx.scopes], configOf(connector), sha256, ctx.now],
    );
    await audit(
      ctx,
      "connector_run.queued",
      { type: "connector_run", id: publicId("run", runId) },
      { connectorId: publicId("con", connector.id), trigger: "upload", sha256, size: input.file.size },
    );
    ctx.tx.nudgeAfterCommit("connectors");
    return runView(row!);
  },
});

/** @throws DomainError conflict where as many files wait as may */
async function requireRoom(ctx: Ctx): Promise<void> {
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM connector_runs WHERE org_id = $1 AND status IN ('queued', 'running')`,
    [ctx.orgId],
  );
  if (row!.n < waitingLimit) return;
  throw new DomainError(
    "conflict",
    `${waitingLimit} files of this organisation wait to be applied, as many as may. Wait for one to end, or cancel a run.`,
  );
}

function paused(): DomainError {
  return new DomainError(
    "connector_paused",
    "The connector is paused and takes no files. Set its status to active first.",
  );
}

function takesNoFiles(): DomainError {
  return new DomainError(
    "conflict",
    "A directory pushes the people of this connector by SCIM. Make a connector of type csv for files.",
  );
}
