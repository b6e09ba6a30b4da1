import { formatCode } from "@/server/credentials/code";
import { issuedAt, verifyUrl } from "@/server/credentials/view";
import type { CredentialState } from "@/server/credentials/states";
import { shownFields, type ShownField } from "@/server/templates/fields";
import { regionOf, type CredentialEvidence } from "./evidence";

/** The fields that the template makes public, with their values on this credential. */
export function publicFieldsOf(evidence: CredentialEvidence, state: CredentialState, now: Date): ShownField[] {
  const { public_fields: fields, source } = evidence;
  if (!fields || !source) return [];
  const credential = {
    id: evidence.id,
    code: formatCode(evidence.code),
    kind: evidence.kind,
    state,
    validFrom: evidence.valid_from.toISOString(),
    issuedAt: issuedAt(evidence, now)?.toISOString() ?? null,
    expiresAt: evidence.expires_at?.toISOString() ?? null,
    verifyUrl: verifyUrl(evidence.code),
    data: source.data,
  };
  return shownFields(
    { front: { fields }, publicFields: fields.map(({ key }) => key) },
    { subject: source.subject, attributes: source.attributes, credential },
    "public",
    regionOf(evidence),
  );
}
