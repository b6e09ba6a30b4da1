import { formatCode } from "@/server/credentials/code";
import { issuedAt, verifyUrl } from "@/server/credentials/view";
import type { CredentialState } from "@/server/credentials/states";
import { dayOf, isDay, isInstant } from "@/server/core/dates";
import { withoutOverrides } from "@/server/core/deceptive-text";
import { evidenceBinding } from "@/server/templates/binding";
import { evidenceIn, evidenceText } from "@/server/templates/evidence-text";
import { shownFields, type ShownField } from "@/server/templates/fields";
import { regionOf, type CredentialEvidence } from "./evidence";

/** A public field with its value. Evidence is Markdown; everything else is in the format of its field. */
export type PublicField = Omit<ShownField, "format"> & { format: ShownField["format"] | "markdown" };

/** The fields that the template makes public, with their values on this credential. */
export function publicFieldsOf(evidence: CredentialEvidence, state: CredentialState, now: Date): PublicField[] {
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
  const shown = shownFields(
    { front: { fields }, publicFields: fields.map(({ key }) => key) },
    { subject: source.subject, attributes: source.attributes, credential },
    "public",
    regionOf(evidence),
  );
  return shown.flatMap((field) => {
    const { binding } = fields.find(({ key }) => key === field.key)!;
    return binding === evidenceBinding ? evidenceFields(field, source.data["evidence"]) : [field];
  });
}

/** The day of the award, if it differs from the beginning of the credential and no field shows it. */
export function awardedField({
  awarded_date,
  valid_from,
  time_zone,
  public_fields,
}: CredentialEvidence): PublicField[] {
  if (awarded_date === null || public_fields?.some(({ binding }) => binding === "credential.data.awardedDate"))
    return [];
  const value = isDay(awarded_date)
    ? awarded_date
    : isInstant(awarded_date)
      ? dayOf(awarded_date, time_zone)
      : undefined;
  if (value === undefined || value === dayOf(valid_from, time_zone)) return [];
  return [{ key: "awardedDate", label: "Awarded on", value, format: "date" }];
}

/** A field for each piece of evidence, because a page shows more of each than a card. */
function evidenceFields({ key, label }: ShownField, value: unknown): PublicField[] {
  return evidenceIn(withoutOverrides(value))
    .map(evidenceText)
    .filter((text) => text !== "")
    .map((text, i) => ({ key: `${key}.${i + 1}`, label, value: text, format: "markdown" }));
}
