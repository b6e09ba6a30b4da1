import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { isId, publicId, readId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadJob, type BulkJobRow } from "./bulk-job";
import { rowErrorSchema, type RowError } from "./bulk-rows";
import { peopleOfRows, type SentSubject } from "./people-of-rows";
import {
  credentialColumns,
  credentialSchema,
  credentialView,
  joinSubject,
  type CredentialRow,
  type CredentialView,
} from "./view";

export const bulkRowSchema = z
  .object({
    index: z.int().meta({ description: "The row's place in items, from 0." }),
    ok: z.boolean().nullable().meta({
      description: "null until the row has been worked on; in a stopped job for good, with the reason as error.",
    }),
    changed: z.boolean().optional().meta({
      description:
        "Of a row that is ok: false where the credential was so already, e.g. revoked before. Nothing was done then.",
    }),
    credential: credentialSchema
      .optional()
      .meta({ description: "As it is now; of a refused row, the one that it is about." }),
    nameConfirmationId: z.string().optional().meta({
      description: "Where the holder was asked to confirm the name first. credential is there once they have.",
    }),
    subjectId: z.string().optional().meta({
      description:
        "Of a row that waits for a name, and of a refused row that names a subject by its id; also by the external id of a subject that exists, which takes subjects:read too.",
    }),
    externalId: z
      .string()
      .optional()
      .meta({ description: "Of a refused row that names a subject by its external id; takes subjects:read too." }),
    error: rowErrorSchema.optional(),
  })
  .meta({ id: "BulkRow" });

interface BulkRowRow {
  index: number;
  ok: boolean | null;
  result: { credentialId?: string; nameConfirmationId?: string; changed?: boolean; error?: RowError } | null;
  /** The subject of a refused row as it was sent. It may be any JSON. */
  about: SentSubject;
}

/** Lists the rows of a bulk job with their results, in the order of the request. */
export const listBulkRows = query({
  name: "bulk.rows",
  scope: "credentials:read",
  input: z.strictObject({
    id: id("blk"),
    ok: z.enum(["true", "false"]).optional().meta({ description: "The rows that succeeded, or that failed." }),
    changed: z.enum(["true", "false"]).optional().meta({
      description: "Of the rows that succeeded: those that changed something, or those that were so already.",
    }),
    ...page,
  }),
  async run(ctx, input) {
    const job = await loadJob(ctx, input.id);
    const found = await paginate(input, {
      binding: [ctx.orgId, "bulk_rows", job.id, input.ok, input.changed],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<BulkRowRow>(
          `SELECT "index", ok, result, CASE WHEN NOT ok AND jsonb_typeof(input -> 'subject') = 'object' THEN input -> 'subject' END AS about
           FROM bulk_rows WHERE org_id = $1 AND job_id = $2 AND "index" > $3 ${only(input)} ORDER BY "index" LIMIT $4 OFFSET $5`,
          [ctx.orgId, job.id, after ?? -1, take, skip],
        ),
      count: () => countRows(ctx, job, input),
      keyOf: (row) => String(row.index),
    });
    return { ...found, data: await withCredentials(ctx, job, found.data) };
  },
});

type Narrowing = { ok?: "true" | "false" | undefined; changed?: "true" | "false" | undefined };

export function only({ ok, changed }: Narrowing): string {
  const outcome = ok === undefined ? "" : ok === "true" ? "AND ok" : "AND NOT ok";
  if (changed === undefined) return outcome;
  return `${outcome} AND ok AND ${changed === "true" ? "" : "NOT "}coalesce((result ->> 'changed')::boolean, true)`;
}

async function countRows(ctx: Ctx, job: BulkJobRow, narrowing: Narrowing): Promise<number> {
  if (narrowing.changed === undefined)
    return narrowing.ok === "true" ? job.succeeded : narrowing.ok === "false" ? job.failed : job.total;
  const [row] = await reading(ctx).sql<{ n: number }>(
    `SELECT count(*) AS n FROM bulk_rows WHERE org_id = $1 AND job_id = $2 ${only(narrowing)}`,
    [ctx.orgId, job.id],
  );
  return row!.n;
}

async function withCredentials(
  ctx: Ctx,
  job: BulkJobRow,
  rows: BulkRowRow[],
): Promise<z.output<typeof bulkRowSchema>[]> {
  const asked = await confirmationsOf(ctx, rows);
  const idOf = ({ result }: BulkRowRow) =>
    result?.credentialId ?? asked.get(result?.nameConfirmationId ?? "")?.credentialId ?? null;
  const credentials = await reading(ctx).sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM credentials WHERE org_id = ${opaque("$1")} AND id = given.id OFFSET 0) c ${joinSubject}`,
    [ctx.orgId, rows.flatMap((row) => idOf(row) ?? []).map((id) => readId("crd", id))],
  );
  const byId = new Map<string, CredentialView>(
    credentials.map((row) => [publicId("crd", row.id), credentialView(row, ctx.now)]),
  );
  const seesPeople = ctx.scopes.has("subjects:read");
  const personOf = await peopleOfRows(ctx, seesPeople ? rows.map(({ about }) => about) : []);
  return rows.map((row) => {
    const { index, ok, result, about } = row;
    const waiting = asked.get(result?.nameConfirmationId ?? "")?.subjectId;
    const subjectId =
      waiting ?? (typeof about?.id === "string" && isId("sub", about.id) ? about.id : personOf(about)?.id);
    const credential = byId.get(idOf(row) ?? "");
    const error = result?.error ?? (ok === null ? notDone(job) : undefined);
    return {
      index,
      ok,
      ...(result?.changed !== undefined && { changed: result.changed }),
      ...(credential && { credential }),
      ...(result?.nameConfirmationId && { nameConfirmationId: result.nameConfirmationId }),
      ...(subjectId && { subjectId }),
      ...(typeof about?.externalId === "string" && seesPeople && { externalId: about.externalId }),
      ...(error && { error }),
    };
  });
}

/**
 * Returns the people who were asked to confirm their names, and the credentials issued since, by the id of the request.
 */
async function confirmationsOf(
  ctx: Ctx,
  rows: BulkRowRow[],
): Promise<Map<string, { subjectId: string; credentialId: string | null }>> {
  const ids = rows.flatMap(({ result }) => result?.nameConfirmationId ?? []);
  if (ids.length === 0) return new Map();
  const found = await reading(ctx).sql<{ id: Id<"ncf">; subject_id: Id<"sub">; credential_id: Id<"crd"> | null }>(
    `SELECT n.id, n.subject_id, n.credential_id FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM name_confirmations WHERE org_id = ${opaque("$1")} AND name_confirmations.id = given.id OFFSET 0) n`,
    [ctx.orgId, ids.map((id) => readId("ncf", id))],
  );
  return new Map(
    found.map((row) => [
      publicId("ncf", row.id),
      { subjectId: publicId("sub", row.subject_id), credentialId: publicId("crd", row.credential_id) },
    ]),
  );
}

/** Why a row of a stopped job was never processed. */
export function notDone({ stop_reason }: BulkJobRow): RowError | undefined {
  if (stop_reason === null) return undefined;
  const { code, title, status, message } = new DomainError("job_stopped", `This row was not worked on. ${stop_reason}`);
  return { code, title, status, detail: message };
}
