import { audit } from "@/server/access/audit";
import type { Actor, Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import type { Scope } from "@/server/core/scopes";
import { runColumns, type RunRow, type RunTrigger } from "../run-view";
import type { Origin } from "../sftp/origin";
import type { ConnectorRow } from "../view";
import { configOf } from "./config";

/** The most unfinished runs of an organisation. Their files are stored until they finish. */
const waitingLimit = 50;

/** Whether another run may be queued. */
export async function hasRoom(ctx: Ctx): Promise<boolean> {
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM connector_runs WHERE org_id = $1 AND status IN ('queued', 'running')`,
    [ctx.orgId],
  );
  return row!.n < waitingLimit;
}

/** @throws DomainError limit_reached if no further run may be queued */
export async function requireRoom(ctx: Ctx): Promise<void> {
  if (await hasRoom(ctx)) return;
  throw new DomainError(
    "limit_reached",
    `${waitingLimit} files of this organisation wait to be applied, which is the limit. Wait until one is done, or cancel a run.`,
  );
}

interface Asked {
  trigger: RunTrigger;
  actor: Actor;
  scopes: Iterable<Scope>;
  /** The access token of the request, if it had one. The run stops when the token is revoked. */
  accessToken?: string | undefined;
  /** The file in the blob store. Without it, the run fetches a file. */
  file?: { sha256: string; size: number };
  /** Set if this file lists only some people, unlike the connector's other files. */
  mode?: "delta" | undefined;
  /** Where the file came from, if it came by SFTP. */
  origin?: Origin;
}

/** Queues a run with the connector's current settings. Leaves an audit entry. */
export async function queueRun(ctx: TxCtx, connector: ConnectorRow, asked: Asked): Promise<RunRow> {
  const { trigger, actor, scopes, accessToken, file, mode, origin } = asked;
  const runId = newId("run");
  const [row] = await ctx.tx.sql<RunRow>(
    `INSERT INTO connector_runs (org_id, id, connector_id, trigger, actor, scopes, access_token, config, sha256, digest, phase, created_at, origin)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12) RETURNING ${runColumns}`,
    [
      ctx.orgId,
      runId,
      connector.id,
      trigger,
      actor,
      [...scopes],
      accessToken ?? null,
      { ...configOf(connector), ...(mode && { mode }) },
      file?.sha256 ?? null,
      file ? "staging" : "fetching",
      ctx.now,
      origin ?? null,
    ],
  );
  await audit(
    ctx,
    "connector_run.queued",
    { type: "connector_run", id: publicId("run", runId) },
    { connectorId: publicId("con", connector.id), trigger, ...file },
  );
  ctx.tx.nudgeAfterCommit("connectors");
  return row!;
}
