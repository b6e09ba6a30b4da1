import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadRun, type RunRow } from "./run-view";

export const runErrorSchema = z
  .object({
    line: z.int().meta({ description: "The line in the file as it was sent, from 1." }),
    column: z.string().nullable(),
    code: z.string(),
    message: z.string(),
  })
  .meta({ id: "ConnectorRunError" });

export interface RunErrorRow extends z.output<typeof runErrorSchema> {
  index: number;
}

/** Reads errors after a cursor, which consists of a line and the number of an error of that line. */
export function fetchErrors(
  ctx: Ctx,
  run: RunRow,
  after: string | null,
  take: number,
  skip = 0,
): Promise<RunErrorRow[]> {
  const [line = 0, index = 0] = (after ?? "0:0").split(":").map(Number);
  return reading(ctx).sql<RunErrorRow>(
    `SELECT line, "index", "column", code, message FROM connector_row_errors
     WHERE org_id = $1 AND run_id = $2 AND (line, "index") > ($3, $4) ORDER BY line, "index" LIMIT $5 OFFSET $6`,
    [ctx.orgId, run.id, line, index, take, skip],
  );
}

export const placeOfError = ({ line, index }: RunErrorRow) => `${line}:${index}`;

/** Lists the errors of the rows that a run rejected, in the order of the file. Only the first 10,000 errors are stored. */
export const listConnectorRunErrors = query({
  name: "connectors.runs.errors",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con"), run: id("run"), ...page }),
  async run(ctx, input) {
    const run = await loadRun(ctx, input.id, input.run);
    const found = await paginate(input, {
      binding: [ctx.orgId, "connector_row_errors", run.id],
      fetch: ({ after, take, skip }) => fetchErrors(ctx, run, after, take, skip),
      count: async () =>
        (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM connector_row_errors WHERE org_id = $1 AND run_id = $2`,
            [ctx.orgId, run.id],
          )
        )[0]!.n,
      keyOf: placeOfError,
    });
    return { ...found, data: found.data.map(({ line, column, code, message }) => ({ line, column, code, message })) };
  },
});
