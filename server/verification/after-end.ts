import { endedAt } from "@/server/credentials/states";
import type { CredentialEvidence } from "./evidence";

// What the public may know of the holder once a credential has ended (decision 282). findByCode and findPublicPhoto
// apply it, so that no page, answer or card reads a holder without it.

type Ending = Pick<CredentialEvidence, "kind" | "state" | "valid_from" | "expires_at" | "revoked_at">;

/** Whether a credential shows its holder as recorded now. Academic ones show the snapshot of their issue instead. */
export function readsHolder(credential: Ending, now: Date): boolean {
  return credential.kind !== "academic" && endedAt(credential, now) === null;
}

/**
 * Removes from the evidence what may have changed about the holder after the credential ended: the photo, every field
 * that reads the holder's record, and the name if it changed. If the name changed, the newer credential is removed too,
 * because it shows the new name.
 */
export function withoutLaterChanges(evidence: CredentialEvidence, now: Date): CredentialEvidence {
  const end = evidence.kind === "academic" ? null : endedAt(evidence, now);
  if (end === null || evidence.erased_at !== null) return evidence;
  const { name_at, source } = evidence;
  // A name that is written at the instant of the end also counts as newer: a replacement can bring a new name.
  const isNameNewer = name_at !== null && name_at >= end;
  const displayName = isNameNewer ? "" : evidence.display_name;
  return {
    ...evidence,
    display_name: displayName,
    // If the template keeps the name private, the public does not learn of its change either.
    is_name_withheld: isNameNewer && !evidence.is_name_private,
    photo_at: null,
    source: source && { subject: { displayName }, attributes: {}, data: source.data },
    newer_code: isNameNewer ? null : evidence.newer_code,
  };
}
