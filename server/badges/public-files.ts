import type { Download } from "@/server/core/download";
import type { Id } from "@/server/core/ids";
import { formatCode } from "@/server/credentials/code";
import { bakedBadge, type BadgeFormat } from "./baked-badge";
import { certificate } from "./certificate";
import { documentDownload } from "./document-form";
import { fileHeaders } from "./file";
import { publicBadgeFacts } from "./public-facts";
import { signedBadge } from "./signed-badge";

/** A public file, and the organisation that provides it. */
export interface PublicFile {
  orgId: Id<"org">;
  file: Download;
}

/**
 * Returns the signed document of a credential to anyone who has its code, if the template's public page shows
 * everything that the document says.
 *
 * @throws DomainError `not_found` for every other code; `holder_erased` after the holder was erased
 */
export async function publicCredentialDocument(
  code: string,
  accept: string | undefined,
  now: Date,
): Promise<PublicFile> {
  const { orgId, facts } = await publicBadgeFacts(code);
  const document = documentDownload(await signedBadge({ orgId, now }, facts), formatCode(facts.code), accept);
  return { orgId, file: { ...document, headers: { ...fileHeaders.public, vary: "accept" } } };
}

/**
 * Returns the baked badge of a credential to anyone, if publicCredentialDocument returns its document.
 *
 * @param caller the client's address, for a fair share of the drawing time
 * @throws DomainError as publicCredentialDocument; `unavailable` if the picture cannot be drawn now
 */
export async function publicBadge(
  code: string,
  format: BadgeFormat,
  { caller, now }: { caller: string; now: Date },
): Promise<PublicFile> {
  const { orgId, facts } = await publicBadgeFacts(code);
  const badge = await bakedBadge({ orgId, now, caller, isAnonymous: true }, facts, format);
  return { orgId, file: { ...badge, headers: fileHeaders.public } };
}

/**
 * Returns the certificate of a credential as PDF to anyone, if publicCredentialDocument returns its document.
 *
 * @throws DomainError as publicBadge
 */
export async function publicCertificate(
  code: string,
  { caller, now }: { caller: string; now: Date },
): Promise<PublicFile> {
  const { orgId, facts } = await publicBadgeFacts(code);
  const file = await certificate({ orgId, now, caller, isAnonymous: true }, facts);
  return { orgId, file: { ...file, headers: fileHeaders.public } };
}
