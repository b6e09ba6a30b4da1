import { sql } from "./db";
import type { Id } from "./ids";
import { transaction, type Tx } from "./transaction";

/**
 * A step is started this often before its run is given up: some 20 minutes, which is longer than a short failure of a
 * disk or of the blob store.
 */
export const maxAttempts = 10;

/** The explanation of a run that was given up. */
export const gaveUp = (attempts: number): string =>
  `The run was tried ${attempts} times at the same place and did not get further. What was applied before stays. Start it again; if it fails again, tell whoever operates this service, whose log says why.`;

interface Definition {
  table: "connector_runs" | "policy_runs";
  /** Columns of a claimed run. */
  columns: string;
  /** SQL: whether `run` has a step that is due at the time `$1`. */
  due: string;
  /** SQL: whether a run found by `due` still has a due step after it is locked. */
  open: string;
  /** SQL: further assignments for a run whose step begins, each after a comma. */
  begun?: string;
}

export interface Turn {
  org_id: Id<"org">;
  id: Id<"run"> | Id<"plr">;
}

/**
 * The steps of runs that work in the background. Each step is one transaction with its progress: a killed worker leaves
 * all of a step or none, and another worker continues. The lock of the run's row is the claim. Organisations take
 * turns, step by step. A failed step is retried at once, then at growing intervals, up to five minutes
 * (docs/decisions/382).
 */
export class RunSteps<Work extends Turn & { attempts: number }> {
  constructor(private readonly definition: Definition) {}

  /**
   * Chooses the next run and counts the attempt. Commits this separately, so that a step that crashes the process is
   * counted too, and the run has had its turn.
   */
  async begin(now: Date): Promise<Turn | undefined> {
    const { table, due } = this.definition;
    const [turn] = await sql<Turn>(
      `UPDATE ${table} SET attempts = attempts + 1, served_at = $1 WHERE (org_id, id) = (
         SELECT run.org_id, run.id FROM ${table} run WHERE ${due}
         AND (attempts < 2 OR served_at <= $1::timestamptz - least(2 ^ attempts, 300) * interval '1 second')
         AND NOT EXISTS (SELECT 1 FROM organisations o WHERE o.id = run.org_id AND o.suspended_at IS NOT NULL)
         ORDER BY (SELECT max(served_at) FROM ${table} other WHERE other.org_id = run.org_id) NULLS FIRST, served_at NULLS FIRST, created_at, id
         LIMIT 1 FOR UPDATE OF run SKIP LOCKED)
       RETURNING org_id, id`,
      [now],
    );
    return turn;
  }

  /**
   * Does the next step of a chosen run, unless somebody ended the run. Waits if another worker is doing its step: if
   * two workers skipped each other's locked run, both would leave it with its attempts counted and a pause before the
   * next one.
   */
  async step({ org_id, id }: Turn, now: Date, work: (tx: Tx, run: Work) => Promise<void>): Promise<void> {
    const { table, columns, open, begun = "" } = this.definition;
    await transaction(async (tx) => {
      const [run] = await tx.sql<Work>(
        `SELECT ${columns} FROM ${table} WHERE org_id = $1 AND id = $2 AND ${open} FOR NO KEY UPDATE`,
        [org_id, id],
      );
      if (!run) return;
      tx.send(
        `UPDATE ${table} SET started_at = coalesce(started_at, $3), attempts = 0${begun} WHERE org_id = $1 AND id = $2`,
        [org_id, id, now],
      );
      await work(tx, run);
    });
  }
}
