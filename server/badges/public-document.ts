import { sql } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { formatCode, readCode } from "@/server/credentials/code";
import { resultOf } from "./achievement-document";
import { documentDownload } from "./document-form";
import { badgeFacts, type BadgeFacts } from "./facts";
import { signedBadge } from "./signed-badge";

/**
 * Returns the signed document of a credential to anyone who has its code, where the template's public page shows what
 * the document says.
 *
 * @throws DomainError `not_found` for every other code; `gone` once the holder was erased
 */
export async function publicCredentialDocument(
  code: string,
  accept: string | undefined,
  now: Date,
): Promise<{ orgId: Id<"org">; document: Download }> {
  const found = await find(code);
  if (!found || found.kind !== "academic" || (!found.erased_at && !isPublic(found)))
    throw new DomainError("not_found", "There is no credential with this code whose document is public.");
  const { org_id: orgId, ...facts } = found;
  const badge = await signedBadge({ orgId, now }, facts);
  const document = documentDownload(badge, formatCode(facts.code), accept);
  return { orgId, document: { ...document, headers: { "cache-control": "no-cache", vary: "accept" } } };
}

/** Whether publicCredentialDocument gives a document for this code. */
export async function hasPublicDocument(code: string): Promise<boolean> {
  const found = await find(code);
  return found !== undefined && found.kind === "academic" && !found.erased_at && isPublic(found);
}

async function find(code: string): Promise<(BadgeFacts & { org_id: Id<"org"> }) | undefined> {
  const [found] = await lookUp<BadgeFacts & { org_id: Id<"org"> }>(
    sql,
    `SELECT c.org_id, ${badgeFacts} WHERE c.code = $1`,
    [readCode(code) ?? ""],
  );
  return found;
}

/**
 * Whether the public page shows what the document says: the holder, whose hash stands in it and can be guessed by who
 * knows the address, and the results and credits of the holder.
 */
function isPublic({ public_name, public_fields, achievement, data }: BadgeFacts): boolean {
  const shown = (public_fields ?? []).flatMap(({ binding }) => binding ?? []);
  const shows = (path: string) => shown.some((each) => path === each || path.startsWith(`${each}.`));
  const results = (achievement?.content.resultDescriptions ?? [])
    .filter(({ key }) => resultOf(data, key) !== null)
    .map(({ key }) => `credential.data.results.${key}`);
  const credits = typeof data["creditsEarned"] === "number" ? ["credential.data.creditsEarned"] : [];
  return public_name && [...results, ...credits].every(shows);
}
