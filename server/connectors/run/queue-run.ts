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

/** Runs of an organisation that are not over. Their files are stored until then. */
const waitingLimit = 50;

/** Whether fewer runs wait than may. */
export async function hasRoom(ctx: Ctx): Promise<boolean> {
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM connector_runs WHERE org_id = $1 AND status IN ('queued', 'running')`,
    [ctx.orgId],
  );
  return row!.n < waitingLimit;
}

/** @throws DomainError conflict where as many runs wait as may */
export async function requireRoom(ctx: Ctx): Promise<void> {
  if (await hasRoom(ctx)) return;
  throw new DomainError(
    "conflict",
    `${waitingLimit} files of this organisation wait to be applied, as many as may. Wait for one to end, or cancel a run.`,
  );
}

interface Asked {
  trigger: RunTrigger;
  actor: Actor;
  scopes: Iterable<Scope>;
  /** Of a call with an access token: the run stops when it is revoked. */
  accessToken?: string | undefined;
  /** The file in the blob store; without one, the run fetches it. */
  file?: { sha256: string; size: number };
  /** Of a file that lists some people alone, whatever the connector's files are. */
  mode?: "delta" | undefined;
  /** Of a file that came by SFTP. */
  origin?: Origin;
}

/** Queues a run with what the connector says now. Leaves an audit entry. */
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
