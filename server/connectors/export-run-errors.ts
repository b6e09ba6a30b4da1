import { z } from "zod";
import { csvDownload } from "@/server/core/csv";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { fetchErrors, placeOfError } from "./list-run-errors";
import { loadRun } from "./run-view";

/** Exports the errors of the rows that a run rejected, as CSV. */
export const exportConnectorRunErrors = query({
  name: "connectors.runs.errors.export",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con"), run: id("run") }),
  async run(ctx, input) {
    const run = await loadRun(ctx, input.id, input.run);
    return csvDownload({
      fileName: `${publicId("run", run.id)}-errors.csv`,
      columns: ["line", "column", "code", "message"],
      fetch: (after, take) => fetchErrors(ctx, run, after, take),
      keyOf: placeOfError,
      values: (rows) => rows.map(({ line, column, code, message }) => [line, column, code, message]),
    });
  },
});
