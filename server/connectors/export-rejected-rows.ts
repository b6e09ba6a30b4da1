import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { csvDownload } from "@/server/core/csv";
import { reading } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { addedColumns, isAdded } from "./file/rejected-file";
import { loadRun, type RunRow } from "./run-view";

interface RejectedRow {
  line: number;
  cells: string[] | null;
  wrong: string;
}

/**
 * The rows that a run rejected as CSV, with the columns of its file and what is wrong with each: to be corrected and
 * uploaded again, when the guard against formulas is taken off (file/rejected-file.ts). Kept for 7 days. Names people, so it takes subjects:read too.
 */
export const exportRejectedRows = query({
  name: "connectors.runs.rejected.export",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("con"), run: id("run") }),
  async run(ctx, input) {
    const run = await loadRun(ctx, input.id, input.run);
    const [seen] = await reading(ctx).sql<{ headers: string[] | null }>(
      `SELECT file -> 'headers' AS headers FROM connector_runs WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, run.id],
    );
    // The run's own file may be one of rejected rows.
    const sent = seen?.headers ?? [];
    const own = (cells: string[]) => cells.filter((_, at) => !isAdded(sent, at));
    const headers = own(sent);
    return csvDownload({
      fileName: `${publicId("run", run.id)}-rejected.csv`,
      columns: [...addedColumns(headers), ...headers],
      fetch: (after, take) => fetchRejected(ctx, run, Number(after ?? 0), take),
      keyOf: ({ line }) => String(line),
      values: (rows) =>
        rows.map(({ line, wrong, cells }) => [line, wrong, ...(cells ? own(cells) : headers.map(() => ""))]),
    });
  },
});

/** Cells are null where they are not kept: of erased people, and of rows whose person alone was a reason to reject them. */
const fetchRejected = (ctx: Ctx, run: RunRow, after: number, take: number): Promise<RejectedRow[]> =>
  reading(ctx).sql<RejectedRow>(
    `SELECT e.line, e.wrong, r.cells FROM (
       SELECT line, string_agg(coalesce("column" || ': ', '') || message, ' ' ORDER BY "index") AS wrong FROM connector_row_errors
       WHERE org_id = $1 AND run_id = $2 AND line > $3 GROUP BY line ORDER BY line LIMIT $4
     ) e LEFT JOIN LATERAL (SELECT cells FROM connector_rejected_rows WHERE org_id = $1 AND run_id = $2 AND line = e.line) r ON true
     ORDER BY e.line`,
    [ctx.orgId, run.id, after, take],
  );
