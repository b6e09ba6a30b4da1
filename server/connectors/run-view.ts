import { z } from "zod";
import type { Actor, Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { originSchema, originView, type Origin } from "./sftp/origin";

export const runStatuses = ["queued", "running", "succeeded", "failed", "held", "cancelled"] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runTriggers = ["upload", "sync", "schedule", "sftp", "undo"] as const;
export type RunTrigger = (typeof runTriggers)[number];

/** The reasons why deactivations wait for approval. */
export const holdReasons = ["limit", "lost_columns", "lost_values", "cut_off", "unknown_rows"] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Why a run failed or was ended early. */
export interface RunError {
  code: string;
  message: string;
  line: number | null;
}

export interface Hold {
  reason: HoldReason;
  message: string;
  /** How many deactivations within 24 hours need no approval. */
  limit: number;
  /** How many memberships of groups that policies use would end. */
  memberships: number;
}

/** The columns of `connector_runs` that callers see. */
export interface RunRow {
  id: Id<"run">;
  connector_id: Id<"con">;
  status: RunStatus;
  trigger: RunTrigger;
  actor: Actor;
  was_approved: boolean;
  hold: Hold | null;
  error: RunError | null;
  identical: boolean;
  origin: Origin | null;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  deactivated: number;
  rejected: number;
  held: number;
  skipped: number;
  deleted: number;
  undoes: Id<"run"> | null;
  undone_by: Id<"run"> | null;
  undo_until: Date | null;
  attempts: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const runColumns =
  "id, connector_id, status, trigger, actor, (approved OR coalesce((file ->> 'isLossApproved')::boolean, false)) AS was_approved, hold, error, identical, origin, rows, created, updated, unchanged, deactivated, rejected, held, skipped, deleted, undoes, undone_by, undo_until, attempts, created_at, started_at, finished_at";

const count = z.int();

export const runCounts = z.object({
  rows: count,
  created: count,
  updated: count,
  unchanged: count,
  deactivated: count,
  rejected: count,
  held: count.meta({
    description: "Deactivations that wait for approval, and ends of memberships in groups that policies use.",
  }),
});

export const holdSchema = z.object({
  reason: z.enum(holdReasons).meta({
    description: "lost_values: the file clears a field of nearly everybody, so nothing of it is applied yet.",
  }),
  message: z.string(),
  limit: count.meta({ description: "How many deactivations within 24 hours need no approval." }),
  memberships: count.meta({
    description: "How many memberships of groups that policies use would end. They count against the limit too.",
  }),
});

export const runErrorSummary = z.object({ code: z.string(), message: z.string(), line: z.int().nullable() });

export const runSchema = z
  .object({
    id: z.string(),
    object: z.literal("connector_run"),
    connectorId: z.string(),
    status: z.enum(runStatuses).meta({
      description:
        "held: everything is applied except deactivations, which wait for approve or cancel; with the hold lost_values, nothing is applied yet. failed: errorSummary says why; what was applied before stays.",
    }),
    trigger: z.enum(runTriggers).meta({
      description:
        "sync: somebody requested it. schedule: the schedule started it. sftp: a file was sent by SFTP. undo: it undoes another run.",
    }),
    actor: z.object({ type: z.string(), id: z.string() }).meta({
      description:
        "Who asked for it: a person, a key or an OAuth client, or the connector by its schedule or a file that came by SFTP. Of an approved run, who approved it.",
    }),
    approved: z.boolean().meta({ description: "A person has approved what was held. Always true for an undo." }),
    counts: runCounts.extend({
      skipped: count.meta({
        description: "For an undo: people who stay as they are because they were changed otherwise since.",
      }),
      deleted: count.meta({ description: "For an undo: people who were deleted because the run had created them." }),
    }),
    undoes: z.string().nullable().meta({ description: "The run that this run undoes." }),
    undoneBy: z.string().nullable().meta({ description: "The run that undid this run." }),
    undoableUntil: z.iso.datetime().nullable().meta({
      description: "Until when the run can be undone; null if it changed nobody, is not over or was undone.",
    }),
    identical: z.boolean().meta({
      description: "The file and the settings are those of the last successful run, so there was nothing to do.",
    }),
    file: originSchema.nullable().meta({
      description: "The file that came by SFTP. null for other connectors, and if a fetch found no file.",
    }),
    hold: holdSchema.nullable().meta({ description: "Why deactivations wait for approval." }),
    errorSummary: runErrorSummary
      .nullable()
      .meta({ description: "Why the run failed. Errors of single rows are listed at /errors." }),
    attempts: count.meta({
      description: "How often the current step was started. Above 1, it failed before. The run fails after 10.",
    }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "ConnectorRun" });

export type RunView = z.output<typeof runSchema>;

export function runView(row: RunRow): RunView {
  const { rows, created, updated, unchanged, deactivated, rejected, held, skipped, deleted } = row;
  return {
    id: publicId("run", row.id),
    object: "connector_run",
    connectorId: publicId("con", row.connector_id),
    status: row.status,
    trigger: row.trigger,
    actor: { type: row.actor.type, id: row.actor.id },
    approved: row.was_approved,
    counts: { rows, created, updated, unchanged, deactivated, rejected, held, skipped, deleted },
    undoes: row.undoes && publicId("run", row.undoes),
    undoneBy: row.undone_by && publicId("run", row.undone_by),
    undoableUntil: isUndoable(row) ? row.undo_until!.toISOString() : null,
    identical: row.identical,
    file: originView(row.origin),
    hold: row.hold,
    errorSummary: row.error,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** Whether a run changed anyone, is over and was not undone. Does not check the 7 days within which it can be undone. */
export const isUndoable = (run: RunRow): boolean =>
  ["succeeded", "failed", "cancelled"].includes(run.status) &&
  run.trigger !== "undo" &&
  run.undo_until !== null &&
  run.undone_by === null &&
  run.created + run.updated + run.deactivated > 0;

/** @throws DomainError not_found, also for a run of another connector or organisation, or of a deleted connector */
export async function loadRun(
  ctx: Ctx,
  connectorId: Id<"con">,
  id: Id<"run">,
  lock: "" | "FOR UPDATE" = "",
): Promise<RunRow> {
  const [row] = await reading(ctx).sql<RunRow>(
    `SELECT ${runColumns} FROM connector_runs run WHERE org_id = $1 AND id = $2 AND connector_id = $3
     AND EXISTS (SELECT FROM connectors c WHERE c.org_id = run.org_id AND c.id = run.connector_id AND c.deleted_at IS NULL) ${lock && "FOR UPDATE OF run"}`,
    [ctx.orgId, id, connectorId],
  );
  if (!row) throw notFound("connector run", publicId("run", id));
  return row;
}
