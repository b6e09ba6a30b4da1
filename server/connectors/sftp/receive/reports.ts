import { sql } from "@/server/core/db";
import type { Account } from "./account";
import { filedName } from "../move-away";
import { reportOf, type Reported, type ReportedError } from "../report";
import type { Id } from "@/server/core/ids";

/** A report that a sender can read on our server. */
export interface Shown {
  /** The path below the root, such as archive/20260901-050000-people.csv.report.txt. */
  path: string;
  text: Buffer;
  at: Date;
}

/** A received file that waits or is being applied. */
export interface Waiting {
  name: string;
  size: number;
  at: Date;
}

const reportsShown = 40;
const errorsShown = 200;

type Row = Reported & { id: Id<"run">; created_at: Date };

/** Loads the reports of the last files that came by SFTP, and the names of files that wait or are being applied. */
export async function readReports({ orgId, connectorId }: Account): Promise<{ reports: Shown[]; waiting: Waiting[] }> {
  const runs = await sql<Row>(
    `SELECT id, status, error, hold, identical, rows, created, updated, unchanged, deactivated, rejected, held, origin, created_at, finished_at
     FROM connector_runs WHERE org_id = $1 AND connector_id = $2 AND trigger = 'sftp' ORDER BY id DESC LIMIT ${reportsShown}`,
    [orgId, connectorId],
  );
  const errors = await sql<ReportedError & { run_id: Id<"run"> }>(
    `SELECT e.run_id, e.line, e."column", e.message FROM unnest($2::uuid[]) AS run (id)
     CROSS JOIN LATERAL (
       SELECT run_id, line, "column", message FROM connector_row_errors WHERE org_id = $1 AND run_id = run.id ORDER BY line, "index" LIMIT ${errorsShown}) e`,
    [orgId, runs.map(({ id }) => id)],
  );
  const isOver = ({ status }: Row) => status !== "queued" && status !== "running";
  return {
    reports: runs.filter(isOver).map((run) => ({
      path: `${filedName(run)}.report.txt`,
      text: Buffer.from(
        reportOf(
          run,
          errors.filter(({ run_id }) => run_id === run.id),
        ),
      ),
      at: run.finished_at ?? run.created_at,
    })),
    waiting: runs
      .filter((run) => !isOver(run))
      .map((run) => ({ name: run.origin.name, size: run.origin.size, at: run.created_at })),
  };
}
