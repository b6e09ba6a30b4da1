import type { Actor, TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { Mandate } from "@/server/core/operation";
import type { Scope } from "@/server/core/scopes";
import type { Position } from "../file/read-csv";
import { runColumns, type RunError, type RunRow, type RunStatus } from "../run-view";
import type { RunConfig } from "./config";
import type { EmptiedField, Filled } from "./filled";

/** What was seen of a file. The next run compares. */
export interface SeenFile {
  headers: string[];
  endsWithLineEnd: boolean;
  /** It may have lost its end (mayBeCutOff in hold.ts), so its last row was rejected. */
  mayBeCutOff?: boolean;
  /** A person has approved that the file empties fields of nearly everybody (lost-values.ts). */
  isLossApproved?: boolean;
}

/** How far a phase is. */
export interface Progress {
  /** staging: the file was unpacked, and how it is read then (file/convert.ts). */
  unpacked?: { isNumbered: boolean };
  /** staging: where the next record begins. */
  position?: Position;
  /** staging: rows of which it is not known whom they are about. */
  unknown?: number;
  /** staging: how many rows fill each field. */
  filled?: Filled;
  /** planning: fields that few rows fill. */
  sparse?: Omit<EmptiedField, "emptied">[];
  /** staging: errors of rows that were stored. */
  errors?: number;
  /** applying: the last row that was worked on. */
  after?: { key: string; line: number };
  /** finishing: what the run then is, and whether absences were noted. */
  final?: RunStatus;
  noted?: boolean;
  /** undoing: the last person who was looked at. */
  undone?: Id<"sub">;
  /** staging: characters of rejected rows that were stored. */
  rejectedSize?: number;
}

/** A run with all that its steps need. */
export interface Work extends RunRow {
  org_id: Id<"org">;
  actor: Actor;
  scopes: Scope[];
  access_token: string | null;
  config: RunConfig;
  sha256: string | null;
  digest: string | null;
  phase: Exclude<Phase, "clearing">;
  progress: Progress;
  file: Partial<SeenFile>;
  approved: boolean;
  /** How often the present step was begun, this time included. */
  attempts: number;
}

/**
 * fetching: run/fetch.ts asks the source, under a lease. unpacking: it makes CSV of a file that is none, so too. clearing: of a run that is over before its time, whose staged rows are to be removed.
 */
export type Phase =
  | "fetching"
  | "unpacking"
  | "staging"
  | "planning"
  | "applying"
  | "removing"
  | "undoing"
  | "finishing"
  | "clearing";

export const workColumns = `org_id, actor, scopes, access_token, config, sha256, digest, phase, progress, file, approved, ${runColumns}`;

export interface RunMandate<W extends Work = Work> extends Mandate {
  work: W;
}

/** On whose behalf a run acts. */
export const mandateOf = <W extends Work>(work: W): RunMandate<W> => ({
  work,
  orgId: work.org_id,
  id: publicId("run", work.id),
  actor: work.actor,
  accessToken: work.access_token ?? undefined,
  scopes: work.scopes,
  needs: work.approved || work.file.isLossApproved ? "connectors:approve" : "connectors:run",
});

/** Writes how far a run is. What is not named stays. */
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
  await ctx.tx.sql(
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

/** Gives a run up. Its file is not needed any more; finish() removes its rows. */
export async function fail(ctx: TxCtx, { id }: Pick<Work, "id">, error: RunError): Promise<void> {
  const progress: Progress = { final: "failed", noted: true };
  await ctx.tx.sql(
    `UPDATE connector_runs SET phase = 'finishing', progress = $3, error = $4, sha256 = NULL, claim_id = NULL, lease_until = NULL WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, id, progress, error],
  );
}
