import { fieldText } from "@/components/card/field-text";
import { Fact, Facts } from "@/components/ui/facts";
import type { Verification } from "@/server/verification/view";
import { endsWithDay, formatDay, formatUntil, lastDayOf } from "@/server/core/dates";

/** What anyone may know of a credential, with days in the issuer's time zone. */
export function CredentialFacts({ credential }: Pick<Verification, "credential">) {
  const { subject, title, issuer, issuedAt, expiresAt, revokedAt, code } = credential;
  const { timeZone } = issuer;
  // The holder's name is told already, under whatever label the design shows it.
  const fields = credential.fields.map((field) => ({ ...field, text: fieldText(field, issuer) })).filter(({ text }) => text !== "" && text !== subject.displayName);
  const labels = new Set(fields.map(({ label }) => label.toLowerCase()));
  // A design often shows the same dates under the same names: once is enough.
  const isMissing = (...names: string[]) => !names.some((name) => labels.has(name));
  return (
    <Facts>
      <Fact name="Holder">{subject.erased ? "The holder asked for erasure, so nobody is named here." : subject.displayName && <strong className="font-semibold"><bdi>{subject.displayName}</bdi></strong>}</Fact>
      <Fact name="Credential">{title}</Fact>
      <Fact name="Issued by"><bdi>{issuer.name}</bdi></Fact>
      {fields.map(({ key, label, text }) => (
        <Fact key={key} name={label}><bdi>{text}</bdi></Fact>
      ))}
      {issuedAt && isMissing("valid from") && <Fact name="Valid from"><time dateTime={issuedAt}>{formatDay(issuedAt, issuer)}</time></Fact>}
      {isMissing("valid until", "valid through") && (
        <Fact name="Valid through">{expiresAt ? <time dateTime={endsWithDay(expiresAt, timeZone) ? lastDayOf(expiresAt, timeZone) : expiresAt}>{formatUntil(expiresAt, issuer)}</time> : "No end date"}</Fact>
      )}
      {revokedAt && <Fact name="Revoked on"><time dateTime={revokedAt}>{formatDay(revokedAt, issuer)}</time></Fact>}
      <Fact name="Code"><span className="font-mono tracking-wide">{code}</span></Fact>
    </Facts>
  );
}
