import type { ReactNode } from "react";
import type { FieldFormat } from "@/server/templates/design";
import { fieldText } from "@/server/templates/field-text";
import { Fact, Facts } from "@/components/ui/facts";
import { Markdown } from "@/components/ui/markdown";
import { IssuerName } from "./issuer-name";
import type { Verification } from "@/server/verification/view";
import { formatDay, formatFrom, formatUntil, lastDayOf } from "@/server/core/dates";
import { say, sayOf } from "./words";

const namesOfDates = new Set(["valid from", "valid until", "valid through", "valid to", "expires", "expires on"]);

interface Props {
  verification: Verification;
  /** The copy button after the code. */
  copyCode: ReactNode;
}

/** Fields that the service names itself. All other fields have the labels of the issuer's design. */
const ofDocument = /^(?:document\.|awardedDate$)/;

/** The public facts of a credential without its holder. Dates are in the issuer's time zone. */
export function CredentialFacts({ verification: { credential, checkedAt }, copyCode }: Props) {
  const { subject, title, issuer, validFrom, expiresAt, revokedAt, code } = credential;
  const { timeZone } = issuer;
  const from = validFrom > checkedAt ? formatFrom(validFrom, issuer) : formatDay(validFrom, issuer);
  const through = expiresAt ? formatUntil(expiresAt, issuer) : say("No end date");
  // The credential's own dates are always shown. A field of the design is left out only if it shows exactly the same.
  const lastDay = expiresAt ? lastDayOf(expiresAt, timeZone) : null;
  const isTold = ({ label, text, format }: { label: string; text: string; format: FieldFormat | "markdown" }) =>
    text === "" ||
    text === subject.displayName ||
    (namesOfDates.has(label.trim().toLowerCase()) &&
      (text === from || text === through || text === fieldText({ value: lastDay, format }, issuer)));
  const fields = credential.fields
    .map((field) => ({ ...field, text: fieldText(field, issuer) }))
    .filter((field) => !isTold(field));
  return (
    <Facts>
      <Fact name={say("Credential")}>
        <bdi>{title}</bdi>
      </Fact>
      <Fact name={say("Issued by")}>
        <bdi>{issuer.name}</bdi>
        <IssuerName issuer={issuer} />
      </Fact>
      <Fact name={say("Valid from")}>
        <time dateTime={validFrom}>{from}</time>
      </Fact>
      <Fact name={say("Valid through")}>
        {expiresAt ? <time dateTime={lastDayOf(expiresAt, timeZone)}>{through}</time> : through}
      </Fact>
      {revokedAt && (
        <Fact name={say("Revoked on")}>
          <time dateTime={revokedAt}>{formatDay(revokedAt, issuer)}</time>
        </Fact>
      )}
      {fields.map(({ key, label, text, format }) => (
        <Fact key={key} name={<bdi>{(ofDocument.test(key) ? sayOf(label) : label) || say("On the card")}</bdi>}>
          {format === "markdown" ? <Markdown text={text} /> : <bdi className="whitespace-pre-line">{text}</bdi>}
        </Fact>
      ))}
      <Fact name={say("Code")}>
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="font-mono tracking-wide select-all">{code}</span>
          {copyCode}
        </span>
      </Fact>
    </Facts>
  );
}
