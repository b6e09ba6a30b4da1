import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { Ctx, TxCtx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import type { TokenScope } from "@/server/core/scopes";
import { bulkActions, scopeOfAction } from "./bulk-actions";

const jobStates = ["queued", "running", "completed", "cancelled", "stopped"] as const;
export const jobActions = [...bulkActions, "revoke_template", "apply_version"] as const;

/** A row of `bulk_jobs`. */
export interface BulkJobRow {
  id: Id<"blk">;
  action: (typeof jobActions)[number];
  state: (typeof jobStates)[number];
  params: { templateId?: string; reason?: string; note?: string | undefined };
  total: number;
  succeeded: number;
  failed: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  stop_reason: string | null;
}
export const jobColumns =
  "id, action, state, params, total, succeeded, failed, created_at, started_at, finished_at, stop_reason";

/** The scope that a job's actor must still have at each chunk. Cancelling the job takes the same scope. */
export const scopeOfJob: Record<BulkJobRow["action"], TokenScope> = {
  ...scopeOfAction,
  revoke_template: "credentials:revoke_template",
  apply_version: "credentials:issue",
};

const time = z.iso.datetime();

export const bulkJobSchema = z
  .object({
    id: z.string(),
    object: z.literal("bulk_job"),
    action: z.enum(jobActions),
    status: z.enum(jobStates).meta({
      description:
        "stopped where the key, client or person that asked for it was revoked, left or lost the scope before all rows were done.",
    }),
    stopReason: z.string().nullable().meta({ description: "Why it was stopped, in words." }),
    templateId: z
      .string()
      .nullable()
      .meta({ description: "The template whose credentials are revoked, or show another version." }),
    total: z.int(),
    processed: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: "BulkJob" });

export function bulkJobView(row: BulkJobRow): z.output<typeof bulkJobSchema> {
  return {
    id: publicId("blk", row.id),
    object: "bulk_job",
    action: row.action,
    status: row.state,
    stopReason: row.stop_reason,
    templateId: row.params.templateId ?? null,
    total: row.total,
    processed: row.succeeded + row.failed,
    succeeded: row.succeeded,
    failed: row.failed,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** @throws DomainError not_found, also for a job of another organisation. */
export async function loadJob(ctx: Ctx, id: Id<"blk">, lock: "" | "FOR UPDATE" = ""): Promise<BulkJobRow> {
  const [row] = await reading(ctx).sql<BulkJobRow>(
    `SELECT ${jobColumns} FROM bulk_jobs WHERE org_id = $1 AND id = $2 ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("bulk job", publicId("blk", id));
  return row;
}

/**
 * SQL that removes the free texts from a finished job's parameters. The reason and the note may name a person. They
 * stay in the history of the credentials, where an erasure finds them.
 */
export const withoutTexts = "params - '{reason,note}'::text[]";

/**
 * Queues a job. The caller stores its rows in the same transaction. The job acts as the actor of `ctx`, with the
 * actor's present scopes. Leaves an audit entry.
 */
export async function queueJob(
  ctx: TxCtx,
  id: Id<"blk">,
  job: Pick<BulkJobRow, "action" | "params" | "total">,
): Promise<BulkJobRow> {
  const [row] = await ctx.tx.sql<BulkJobRow>(
    `INSERT INTO bulk_jobs (org_id, id, action, actor, scopes, params, total, created_at, access_token) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${jobColumns}`,
    [ctx.orgId, id, job.action, ctx.actor, [...ctx.scopes], job.params, job.total, ctx.now, ctx.accessToken ?? null],
  );
  await audit(
    ctx,
    "bulk_job.created",
    { type: "bulk_job", id: publicId("blk", id) },
    { action: job.action, total: job.total, ...(job.params.templateId && { templateId: job.params.templateId }) },
  );
  ctx.tx.nudgeAfterCommit("bulk");
  return row!;
}
