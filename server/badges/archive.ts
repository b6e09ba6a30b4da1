import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { csvRow } from "@/server/core/csv-row";
import type { Download } from "@/server/core/download";
import { DomainError } from "@/server/core/errors";
import { keyText, publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { withTimeBounds } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { sortBy } from "@/server/core/sorting";
import { zipOf, type ArchivedFile } from "@/server/core/zip";
import { credentialFilters, credentialSorts } from "@/server/credentials/filter";
import { countMatching, fetchCredentials, orderOfCredentials } from "@/server/credentials/list";
import { archivedCredential, archiveFormats, indexColumns } from "./archived-credential";

/** Most credentials of one archive: as many as a bulk request takes. */
export const mostArchived = 10_000;

const pageSize = 250;

/**
 * Returns the files of many credentials as one ZIP archive: those of the ids or, without ids, all that a list with the
 * same filters shows. The archive streams: each file is made when the client reads it, and nothing of it is stored
 * (decision 545). `index.csv` names every credential with its files, or says why it has none. If files are missing, the
 * archive's comment says how many (decision 745). The archive names the holders, so it also takes the scope
 * subjects:read.
 *
 * @throws DomainError `invalid_request` where more than mostArchived credentials match
 */
export const archiveCredentials = query({
  name: "credentials.archive",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    ids: z
      .array(id("crd"))
      .min(1)
      .max(mostArchived)
      .optional()
      .meta({ description: "These credentials, in this order. Filters and sort are not used then." }),
    formats: z
      .array(z.enum(archiveFormats))
      .min(1)
      .default([...archiveFormats])
      .meta({ description: "Which files of each academic credential. Other kinds have none; the index names them." }),
    ...credentialFilters,
    sort: sortBy(credentialSorts, "Newest first unless sent."),
  }),
  async run(ctx, { ids, formats, sort, ...filter }): Promise<Download> {
    const named = ids ? [...new Set(ids)] : null;
    const asked = named ? null : await withTimeBounds(ctx.orgId, "credentials", filter);
    if (asked) await refuseTooMany(ctx, asked);
    const chosen = named ?? idsOf(ctx, asked!, orderOfCredentials(sort, filter));
    const tally = { missing: 0 };
    return {
      type: "application/zip",
      fileName: `credentials-${ctx.now.toISOString().slice(0, 10)}.zip`,
      chunks: zipOf(filesOf(ctx, chosen, new Set(formats), tally), ctx.now, () => commentOn(tally.missing)),
    };
  },
});

async function refuseTooMany(ctx: Ctx, asked: Parameters<typeof countMatching>[1]): Promise<void> {
  const count = await countMatching(ctx, asked);
  if (count <= mostArchived) return;
  const [found, most] = [count, mostArchived].map((n) => n.toLocaleString("en"));
  throw new DomainError(
    "invalid_request",
    `${found} credentials match, and an archive has at most ${most}. Narrow it, for example by templateId, state or createdAfter and createdBefore.`,
  );
}

async function* idsOf(
  ctx: Ctx,
  asked: Parameters<typeof fetchCredentials>[1],
  order: ReturnType<typeof orderOfCredentials>,
): AsyncIterable<Id<"crd">> {
  let left = mostArchived;
  for (let after: string | null = null; left > 0; ) {
    const rows = await fetchCredentials(ctx, asked, order, { after, take: Math.min(pageSize, left), skip: 0 });
    yield* rows.map((row) => row.id);
    if (rows.length < pageSize) return;
    left -= rows.length;
    after = keyText(order.keyOf(rows.at(-1)!));
  }
}

/** The console shows this comment too. */
function commentOn(missing: number): string {
  if (missing === 0) return "";
  const files = missing === 1 ? "1 file is missing" : `${missing.toLocaleString("en")} files are missing`;
  return `${files}. The column "problem" of index.csv says why.`;
}

/** Yields the files of each credential, and then the index with the result of each. Counts missing files in `tally`. */
async function* filesOf(
  ctx: Ctx,
  ids: Iterable<Id<"crd">> | AsyncIterable<Id<"crd">>,
  formats: Parameters<typeof archivedCredential>[2],
  tally: { missing: number },
): AsyncIterable<ArchivedFile> {
  const index = [`\ufeff${csvRow(indexColumns)}`];
  for await (const each of ids) {
    const { files, row, missing } = await archivedCredential(ctx, each, formats);
    tally.missing += missing;
    yield* files;
    index.push(csvRow([publicId("crd", each), ...row]));
  }
  yield { name: "index.csv", bytes: index.join("") };
}
