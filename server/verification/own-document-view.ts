import { formatExactUntil } from "@/server/core/dates";
import { presentable } from "@/server/core/deceptive-text";
import { effectiveState } from "@/server/credentials/states";
import type { CredentialVerification } from "@/server/standards/verify/verify-credential";
import { checksByCode } from "./checks";
import { concluded, decide } from "./decide";
import { regionOf, type CredentialEvidence } from "./evidence";
import { documentFields } from "./document-fields";
import { foreignView } from "./foreign-view";
import type { OwnIssuer } from "./own-credential";
import { correctedCheck, type Corrected } from "./corrected-since";
import { joinedChecks, notOnRecord, ownIdentity } from "./own-document-checks";
import type { Listing } from "./registries";
import { withRegistries } from "./registry-check";
import { verificationView, type Verification } from "./view";

type Fields = Verification["credential"]["fields"];

/** States from the worst: the answer has the first of them that applies to the document or the credential. */
const states = ["revoked", "expired", "suspended", "pending", "unknown", "active"] as const;

/**
 * Presents the verification of a document that an organisation of this service issued: the answer of its code, with
 * what the document states, and with the worse of the two decisions. It shows no more of the database than the public
 * page of the credential does.
 */
export function ownDocumentView(
  given: CredentialVerification,
  evidence: CredentialEvidence,
  corrected: Corrected,
  listings: Listing[],
  now: Date,
): Verification {
  const verification = withoutEarlyEnd(given, evidence, now);
  const byCode = decide(checksByCode, evidence, now);
  const joined = [
    ...joinedChecks(verification.checks, byCode.checks, evidence),
    ...(corrected.labels.length > 0 ? [correctedCheck(corrected.labels)] : []),
  ];
  const decision = concluded(withRegistries(joined, listings, evidence.issuer_name, regionOf(evidence)));
  const { reason } = decision;
  const own = verificationView(evidence, decision, listings, now);
  const document = foreignView(verification, decision, [], now);
  // The end was moved after the file was signed. The file has ended all the same (decision 440).
  const withRecordedEnd = (text: string | null): string | null =>
    reason === "expired" && byCode.result === "valid" ? `${text} ${recordedEnd(evidence)}` : text;
  const isOnRecord = reason !== null && byCode.checks.some((check) => check.reason === reason);
  return presentable<Verification>({
    ...own,
    state: states.find((state) => state === own.state || state === document.state)!,
    reasonText: isOnRecord ? own.reasonText : withRecordedEnd(document.reasonText),
    credential: {
      ...own.credential,
      issuer: {
        ...own.credential.issuer,
        did: document.credential.issuer.did,
        domain: document.credential.issuer.domain,
        domainVerified: document.credential.issuer.domainVerified,
      },
      fields: own.credential.subject.erased
        ? []
        : [
            ...own.credential.fields,
            ...added(
              documentFields(verification.document ?? {}, own.credential.title, evidence.time_zone).filter(
                ({ key }) => !corrected.keys.includes(key),
              ),
              own.credential,
            ),
          ],
      validFrom: later(own.credential.validFrom, document.credential.validFrom),
      expiresAt: earlier(own.credential.expiresAt, exclusive(document.credential.expiresAt)),
      revocationReason: own.credential.revocationReason ?? document.credential.revocationReason,
    },
  });
}

function recordedEnd(evidence: CredentialEvidence): string {
  const until = evidence.expires_at
    ? `valid through ${formatExactUntil(evidence.expires_at, regionOf(evidence))}`
    : "valid without an end";
  return `Only this file ended: the credential was extended since, and is ${until}. Ask its holder for a new file, or check its code.`;
}

/**
 * Removes what the list of revocations says of a credential that ended early (decision 527): the record knows that it
 * expired, and was not revoked.
 */
function withoutEarlyEnd(
  verification: CredentialVerification,
  evidence: CredentialEvidence,
  now: Date,
): CredentialVerification {
  if (effectiveState(evidence, now) !== "expired") return verification;
  return { ...verification, checks: verification.checks.filter(({ reason }) => reason !== "revoked") };
}

/**
 * Presents the verification of a document that an organisation of this service signed, and that is not the document of
 * one of its credentials.
 */
export function unrecordedView(
  verification: CredentialVerification,
  issuer: OwnIssuer,
  listings: Listing[],
  now: Date,
): Verification {
  const checks = verification.checks.map((check) => (check.name === "issuer_identity" ? ownIdentity(issuer) : check));
  const view = foreignView(verification, concluded([notOnRecord, ...checks]), listings, now);
  const { name, slug, is_name_confirmed: nameVerified } = issuer;
  return {
    ...view,
    credential: { ...view.credential, issuer: { ...view.credential.issuer, name, slug, nameVerified } },
  };
}

/**
 * The fields of the document that the answer of the code lacks. A field with the same value is already shown if one
 * label contains the other, as "Grade" and "Final grade". If the document states another value under the same label,
 * because the credential was changed after the document was made, the label says whose statement it is.
 */
function added(fields: Fields, { fields: told }: Verification["credential"]): Fields {
  const same = (a: unknown, b: unknown) => String(a).trim().toLowerCase() === String(b).trim().toLowerCase();
  const words = (label: string): string[] => label.toLowerCase().match(/\p{L}+/gu) ?? [];
  const contains = (a: string, b: string) => words(b).every((word) => words(a).includes(word));
  const oneContains = (a: string, b: string) => contains(a, b) || contains(b, a);
  return fields
    .filter(({ key }) => key !== "id")
    .filter((field) => !told.some(({ label, value }) => oneContains(label, field.label) && same(value, field.value)))
    .map((field) => ({
      ...field,
      key: `document.${field.key}`,
      label: told.some(({ label }) => same(label, field.label)) ? `${field.label}, as the file states` : field.label,
    }));
}

/** Our documents include their last millisecond; `expiresAt` is the instant after it. */
const exclusive = (until: string | null): string | null =>
  until?.endsWith(".999Z") ? new Date(Date.parse(until) + 1).toISOString() : until;

const later = (a: string, b: string): string => (a >= b ? a : b);
const earlier = (a: string | null, b: string | null): string | null =>
  a !== null && b !== null ? (a <= b ? a : b) : (a ?? b);
