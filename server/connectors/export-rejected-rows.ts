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
 * Exports the rejected rows of a run as CSV: the columns of the file and a column that says what is wrong. People correct
 * this file and upload it again; the upload then removes the guard against formulas (file/rejected-file.ts). Rows are kept
 * for 7 days. Requires subjects:read too, because the rows name people.
 *
 * Rows that repeat an id and a row that may be cut off are left out: sent back as they are, they would be accepted and
 * overwrite the row that counts (docs/decisions/630).
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
    // The run's own file may be a corrected file of rejected rows, which has the added columns already.
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

/** Cells are null if they were not kept: for erased people, and for rows that were rejected only because of their person. */
const fetchRejected = (ctx: Ctx, run: RunRow, after: number, take: number): Promise<RejectedRow[]> =>
  reading(ctx).sql<RejectedRow>(
    `SELECT e.line, e.wrong, r.cells FROM (
       SELECT line, string_agg(coalesce("column" || ': ', '') || message, ' ' ORDER BY "index") AS wrong FROM connector_row_errors
       WHERE org_id = $1 AND run_id = $2 AND line > $3 GROUP BY line
         HAVING NOT bool_or(code IN ('duplicate_external_id', 'cut_off')) ORDER BY line LIMIT $4
     ) e LEFT JOIN LATERAL (SELECT cells FROM connector_rejected_rows WHERE org_id = $1 AND run_id = $2 AND line = e.line) r ON true
     ORDER BY e.line`,
    [ctx.orgId, run.id, after, take],
  );
