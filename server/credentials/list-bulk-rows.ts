import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadJob, type BulkJobRow } from "./bulk-job";
import { rowErrorSchema, type RowError } from "./bulk-rows";
import { credentialColumns, credentialSchema, credentialView, joinSubject, type CredentialRow } from "./view";

export const bulkRowSchema = z
  .object({
    index: z.int().meta({ description: "The row's place in items, from 0." }),
    ok: z.boolean().nullable().meta({ description: "null until the row has been worked on; in a stopped job for good, with the reason as error." }),
    credential: credentialSchema.optional().meta({ description: "As it is now." }),
    error: rowErrorSchema.optional(),
  })
  .meta({ id: "BulkRow" });

interface BulkRowRow {
  index: number;
  ok: boolean | null;
  result: { credentialId?: string; error?: RowError } | null;
}

/** The rows of a bulk job with their results, in the order of the request. */
export const listBulkRows = query({
  name: "bulk.rows",
  scope: "credentials:read",
  input: z.strictObject({ id, ok: z.enum(["true", "false"]).optional().meta({ description: "The rows that succeeded, or that failed." }), ...page }),
  async run(ctx, input) {
    const job = await loadJob(ctx, input.id);
    const found = await paginate(input, {
      binding: [ctx.orgId, "bulk_rows", job.id, input.ok],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<BulkRowRow>(
          `SELECT "index", ok, result FROM bulk_rows WHERE org_id = $1 AND job_id = $2 AND "index" > $3 ${only(input.ok)} ORDER BY "index" LIMIT $4 OFFSET $5`,
          [ctx.orgId, job.id, after ?? -1, take, skip],
        ),
      count: async () => (input.ok === "true" ? job.succeeded : input.ok === "false" ? job.failed : job.total),
      keyOf: (row) => String(row.index),
    });
    return { ...found, data: await withCredentials(ctx, job, found.data) };
  },
});

function only(ok: "true" | "false" | undefined): string {
  return ok === undefined ? "" : ok === "true" ? "AND ok" : "AND NOT ok";
}

async function withCredentials(ctx: Ctx, job: BulkJobRow, rows: BulkRowRow[]): Promise<z.output<typeof bulkRowSchema>[]> {
  const credentials = await reading(ctx).sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM unnest($2::text[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM credentials WHERE org_id = ${opaque("$1")} AND id = given.id OFFSET 0) c ${joinSubject}`,
    [ctx.orgId, rows.flatMap((row) => row.result?.credentialId ?? [])],
  );
  const byId = new Map(credentials.map((row) => [row.id, credentialView(row, ctx.now)]));
  return rows.map(({ index, ok, result }) => {
    const credential = byId.get(result?.credentialId ?? "");
    const error = result?.error ?? (ok === null ? notDone(job) : undefined);
    return { index, ok, ...(credential && { credential }), ...(error && { error }) };
  });
}

/** Why a row of a stopped job was never worked on. */
function notDone({ stop_reason }: BulkJobRow): RowError | undefined {
  if (stop_reason === null) return undefined;
  const { code, title, status, message } = new DomainError("job_stopped", `This row was not worked on. ${stop_reason}`);
  return { code, title, status, detail: message };
}
