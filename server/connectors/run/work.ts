import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Membership } from "@/server/groups/change-memberships";
import type { Mandate } from "@/server/core/operation";
import type { Scope } from "@/server/core/scopes";
import type { Position } from "../file/read-csv";
import { runColumns, type RunError, type RunRow, type RunStatus } from "../run-view";
import type { RunConfig } from "./config";
import type { EmptiedField, Filled } from "./filled";

/**
 * Why a file without a line end after its last row may be cut off. line_end: the previous file ended with one. part_of_id: the
 * id in the last cell is the beginning of the id of somebody whom the file lacks.
 */
export type CutOffSign = "line_end" | "part_of_id";

/** Facts about a file, with which the next run compares its own file. */
export interface SeenFile {
  headers: string[];
  endsWithLineEnd: boolean;
  /** Set if the file may be cut off, so that its last row was rejected: why (signOfCutOff in hold.ts). */
  cutOffBy?: CutOffSign;
  /** Somebody approved that the file clears fields of nearly everybody (lost-values.ts). */
  isLossApproved?: boolean;
}

/** A place among the staged rows: after this row, or before all rows with the key if the line is -1. */
export interface Place {
  key: string;
  line: number;
}

/** The progress of a run. Each field belongs to the phase that its comment names. */
export interface Progress {
  /** staging: set if the file was converted, with how to read the result (file/convert.ts). */
  unpacked?: { isNumbered: boolean };
  /** staging: the position of the next record. */
  position?: Position;
  /** staging: how many rows have no usable id. */
  unknown?: number;
  /** staging: how many rows fill each field. */
  filled?: Filled;
  /** planning: fields that few rows fill. */
  sparse?: Omit<EmptiedField, "emptied">[];
  /** staging: how many row errors were stored. */
  errors?: number;
  /** applying: the last row that was applied, of the first half if the rows were split. */
  after?: Place;
  /** applying: the first key of the second half; null if the rows were not split (second-half.ts). */
  until?: string | null;
  /** applying: whether this is a full file and the connector provided people before, so that most rows may change nothing. */
  hasPeople?: boolean;
  /** grouping, undoing: the last membership that was processed. */
  regrouped?: Membership;
  /** finishing: the final status of the run, and whether nobody may be recorded as missing from its file. */
  final?: RunStatus;
  noted?: boolean;
  /** undoing: the last person who was processed. */
  undone?: Id<"sub">;
  /** staging: how many characters of rejected rows were stored. */
  rejectedSize?: number;
}

/** A run with all data that its steps need. */
export interface Work extends RunRow {
  org_id: Id<"org">;
  scopes: Scope[];
  access_token: string | null;
  config: RunConfig;
  sha256: string | null;
  digest: string | null;
  phase: Exclude<Phase, "clearing">;
  progress: Progress;
  file: Partial<SeenFile>;
  approved: boolean;
  /** How often the current step was started, including this time. */
  attempts: number;
}

/**
 * The phases of a run. fetching: run/fetch.ts reads the source under a lease. unpacking: run/fetch.ts converts the file to
 * CSV under a lease. clearing: the run has ended, and its staged rows are being deleted.
 */
export type Phase =
  | "fetching"
  | "unpacking"
  | "staging"
  | "planning"
  | "applying"
  | "grouping"
  | "removing"
  | "undoing"
  | "finishing"
  | "clearing";

export const workColumns = `org_id, scopes, access_token, config, sha256, digest, phase, progress, file, approved, ${runColumns}`;

export interface RunMandate<W extends Work = Work> extends Mandate {
  work: W;
}

/** The actor and the rights with which a run acts. */
export const mandateOf = <W extends Work>(work: W): RunMandate<W> => ({
  work,
  orgId: work.org_id,
  id: publicId("run", work.id),
  actor: work.actor,
  accessToken: work.access_token ?? undefined,
  scopes: work.scopes,
  needs: work.approved || work.file.isLossApproved ? "connectors:approve" : "connectors:run",
});

/** The context in which a run changes people and groups: their events name the run as the actor, whoever requested it. */
export const asRun = (ctx: TxCtx, { id }: Pick<Work, "id">): TxCtx => ({
  ...ctx,
  actor: { type: "job", id: publicId("run", id) },
});

/** Stores the progress of a run. Not awaited: as the last statement of a step, it travels in one packet with COMMIT. */
export async function advance(
  ctx: TxCtx,
  { id }: Pick<Work, "id">,
  to: { phase: Phase; progress?: Progress },
  counts: Partial<
    Pick<
      RunRow,
      "rows" | "created" | "updated" | "unchanged" | "deactivated" | "rejected" | "held" | "skipped" | "deleted"
    >
  > = {},
): Promise<void> {
  const { rows = 0, created = 0, updated = 0, unchanged = 0, deactivated = 0, rejected = 0, held = 0 } = counts;
  const { skipped = 0, deleted = 0 } = counts;
  ctx.tx.send(
    `UPDATE connector_runs SET phase = $3, progress = $4, rows = rows + $5, created = created + $6, updated = updated + $7, unchanged = unchanged + $8,
       deactivated = deactivated + $9, rejected = rejected + $10, held = held + $11, skipped = skipped + $12, deleted = deleted + $13
     WHERE org_id = $1 AND id = $2`,
    [
      ctx.orgId,
      id,
      to.phase,
      to.progress ?? {},
      rows,
      created,
      updated,
      unchanged,
      deactivated,
      rejected,
      held,
      skipped,
      deleted,
    ],
  );
}

/** Records that a full file of the connector was applied, or came again unchanged: its people were seen now (sources.ts). */
export async function noteFullFile(ctx: TxCtx, connectorId: Id<"con">): Promise<void> {
  await ctx.tx.sql(`UPDATE connectors SET last_full_at = $3 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    connectorId,
    ctx.now,
  ]);
}

/** Fails a run. Its file is no longer needed; a job deletes its staged rows (clear.ts). */
export async function fail(ctx: TxCtx, { id }: Pick<Work, "id">, error: RunError): Promise<void> {
  const progress: Progress = { final: "failed" };
  await ctx.tx.sql(
    `UPDATE connector_runs SET phase = 'finishing', progress = $3, error = $4, sha256 = NULL, claim_id = NULL, lease_until = NULL WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, id, progress, error],
  );
}
