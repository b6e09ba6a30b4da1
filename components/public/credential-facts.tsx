import { fieldText } from "@/components/card/field-text";
import { Fact, Facts } from "@/components/ui/facts";
import type { Verification } from "@/server/verification/view";
import { dayText, untilText } from "./dates";

/** What anyone may know of a credential. */
export function CredentialFacts({ credential }: Pick<Verification, "credential">) {
  const { subject, title, issuer, issuedAt, expiresAt, revokedAt, code } = credential;
  // The holder's name is told already, under whatever label the design shows it.
  const fields = credential.fields.filter((field) => fieldText(field) !== "" && fieldText(field) !== subject.displayName);
  const labels = new Set(fields.map(({ label }) => label.toLowerCase()));
  // A design often shows the same dates under the same names: once is enough.
  const untold = (name: string) => !labels.has(name.toLowerCase());
  return (
    <Facts>
      <Fact name="Holder">{subject.displayName && <strong className="font-semibold">{subject.displayName}</strong>}</Fact>
      <Fact name="Credential">{title}</Fact>
      <Fact name="Issued by">{issuer.name}</Fact>
      {fields.map((field) => (
        <Fact key={field.key} name={field.label}>{fieldText(field)}</Fact>
      ))}
      {issuedAt && untold("Valid from") && <Fact name="Valid from"><time dateTime={issuedAt}>{dayText(issuedAt)}</time></Fact>}
      {untold("Valid until") && <Fact name="Valid until">{expiresAt ? <time dateTime={expiresAt}>{untilText(expiresAt)}</time> : "No end date"}</Fact>}
      {revokedAt && <Fact name="Revoked on"><time dateTime={revokedAt}>{dayText(revokedAt)}</time></Fact>}
      <Fact name="Code"><span className="font-mono tracking-wide">{code}</span></Fact>
    </Facts>
  );
}
