import { z } from "zod";
import { csvDownload } from "@/server/core/csv";
import { reading } from "@/server/core/db";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadJob } from "./bulk-job";
import type { RowError } from "./bulk-rows";
import { holdersOf } from "./holders-of";
import { notDone, only } from "./list-bulk-rows";
import { peopleOfRows } from "./people-of-rows";

interface ExportedRow {
  index: number;
  ok: boolean | null;
  /** The row as it was sent; null after the row has succeeded. */
  input: { subject?: { id?: unknown; externalId?: unknown; displayName?: unknown } | null } | null;
  result: { credentialId?: string; changed?: boolean; error?: RowError } | null;
}

/**
 * Exports the rows of a bulk job as CSV: each row's position in the request, the person, and its error. A row with `ok`
 * false says what to correct and has the sent row as `item`. Requires subjects:read too, because the file names people.
 */
export const exportBulkRows = query({
  name: "bulk.rows.export",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("blk"),
    ok: z.enum(["true", "false"]).optional().meta({ description: "The rows that succeeded, or that failed." }),
    changed: z.enum(["true", "false"]).optional().meta({
      description: "Of the rows that succeeded: those that changed something, or those that were so already.",
    }),
  }),
  async run(ctx, input) {
    const job = await loadJob(ctx, input.id);
    return csvDownload({
      fileName: `${publicId("blk", job.id)}${input.ok === "false" ? "-failed" : ""}.csv`,
      columns: ["row", "ok", "changed", "credentialId", "externalId", "name", "error", "detail", "fields", "item"],
      fetch: (after, take) =>
        reading(ctx).sql<ExportedRow>(
          `SELECT "index", ok, input, result FROM bulk_rows WHERE org_id = $1 AND job_id = $2 AND "index" > $3 ${only(input)} ORDER BY "index" LIMIT $4`,
          [ctx.orgId, job.id, after ?? -1, take],
        ),
      keyOf: (row) => String(row.index),
      async values(rows) {
        const holders = await holdersOf(
          ctx,
          rows.flatMap(({ result }) => result?.credentialId ?? []),
        );
        const personOf = await peopleOfRows(
          ctx,
          rows.map(({ input }) => input?.subject),
        );
        return rows.map(({ index, ok, input, result }) => {
          const error = result?.error ?? (ok === null ? notDone(job) : undefined);
          const fields = error?.errors?.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
          const { changed, credentialId } = result ?? {};
          const sent = input?.subject;
          const holder = holders.get(credentialId ?? "") ?? personOf(sent);
          const about = [
            credentialId,
            holder?.externalId ?? textOf(sent?.externalId),
            holder?.name ?? textOf(sent?.displayName),
          ];
          return [index + 1, ok, changed, ...about, error?.code, error?.detail, fields, input];
        });
      },
    });
  },
});

const textOf = (sent: unknown) => (typeof sent === "string" ? sent : undefined);
