import type { Ctx } from "@/server/core/context";
import type { CsvValue } from "@/server/core/csv-row";
import type { Download } from "@/server/core/download";
import { DomainError, type ErrorCode } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { safeName, type ArchivedFile } from "@/server/core/zip";
import { formatCode } from "@/server/credentials/code";
import { effectiveState } from "@/server/credentials/states";
import { verifyUrl } from "@/server/credentials/view";
import { bakedBadge } from "./baked-badge";
import { certificate } from "./certificate";
import { loadBadgeFacts, type BadgeFacts } from "./facts";
import { signedBadge } from "./signed-badge";

export const archiveFormats = ["pdf", "png", "json"] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

/** The columns of index.csv after the id. */
const about = ["code", "state", "kind", "externalId", "holder", "title", "issuedAt", "expiresAt", "verifyUrl"] as const;
export const indexColumns = ["id", ...about, "files", "problem"];

/** What a credential adds to an archive: its files, and its row of the index after the id. */
export interface ArchivedCredential {
  files: ArchivedFile[];
  row: CsvValue[];
  /** The number of files that could not be made. */
  missing: number;
}

/**
 * Makes the files of one credential in its present state. If they cannot be made, the row has the reason, and the
 * archive continues. Call it outside of transactions, because it signs.
 */
export async function archivedCredential(
  ctx: Ctx,
  id: Id<"crd">,
  formats: ReadonlySet<ArchiveFormat>,
): Promise<ArchivedCredential> {
  const facts = await orProblem(() => loadBadgeFacts(ctx, id), ["not_found"]);
  if (typeof facts === "string")
    return { files: [], row: [...about.map(() => null), null, facts], missing: formats.size };
  const files: ArchivedFile[] = [];
  const problems: string[] = [];
  // Other kinds have no files; only the index names them.
  for (const format of facts.kind === "academic" ? archiveFormats : []) {
    if (!formats.has(format)) continue;
    const bytes = await orProblem(
      () => made(ctx, facts, format),
      ["holder_erased", "rate_limited", "unavailable", "file_missing"],
    );
    if (typeof bytes === "string") problems.push(bytes);
    else files.push({ name: `${nameOf(facts)}.${format}`, bytes });
  }
  const names = files.map(({ name }) => name).join("; ");
  const row = [...described(facts, ctx.now), names, [...new Set(problems)].join(" ")];
  return { files, row, missing: problems.length };
}

const described = (facts: BadgeFacts, now: Date): CsvValue[] => [
  formatCode(facts.code),
  effectiveState(facts, now),
  facts.kind,
  facts.external_id,
  facts.display_name,
  facts.title,
  facts.issued_at,
  facts.expires_at,
  verifyUrl(facts.code),
];

/** The code makes the name unique, and is never a file name that Windows reserves. */
const nameOf = ({ display_name, external_id, code }: BadgeFacts) =>
  [safeName(display_name) || safeName(external_id), formatCode(code)].filter(Boolean).join(" ");

async function made(ctx: Ctx, facts: BadgeFacts, format: ArchiveFormat): Promise<Buffer> {
  const caller = { orgId: ctx.orgId, now: ctx.now, caller: ctx.orgId };
  switch (format) {
    case "pdf":
      return bytesOf(await certificate(caller, facts));
    case "png":
      return bytesOf(await bakedBadge(caller, facts, "png"));
    case "json":
      return Buffer.from((await signedBadge(ctx, facts)).document);
  }
}

async function bytesOf({ chunks }: Download): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

/** Returns the result or, for these refusals, the reason in words. Any other error aborts the archive. */
async function orProblem<T>(make: () => Promise<T>, refusals: ErrorCode[]): Promise<T | string> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof DomainError && refusals.includes(error.code)) return error.message;
    throw error;
  }
}
