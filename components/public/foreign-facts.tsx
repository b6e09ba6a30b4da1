import { fieldText } from "@/server/templates/field-text";
import { Fact, Facts } from "@/components/ui/facts";
import { Markdown } from "@/components/ui/markdown";
import type { Verification } from "@/server/verification/view";
import { ForeignMoment } from "./foreign-moment";
import { IssuerName } from "./issuer-name";
import { shortened } from "./shortened";
import { say, sayOf } from "./words";

/** Means "no beginning": no credential is that old. */
const since = (validFrom: string) => (validFrom < "1000" ? null : validFrom);

/**
 * The content of another issuer's credential. Each part says whose statement it is: nobody here checks what an issuer
 * calls itself.
 */
export function ForeignFacts({ verification: { credential } }: { verification: Verification }) {
  const { subject, title, issuer, validFrom, expiresAt, fields } = credential;
  const from = since(validFrom);
  return (
    <Facts>
      {subject.displayName && (
        <Fact name={say("Holder")}>
          <strong className="font-semibold">
            <bdi>{subject.displayName}</bdi>
          </strong>
        </Fact>
      )}
      <Fact name={say("Credential")}>
        <bdi>{shortened(title)}</bdi>
      </Fact>
      <Fact name={say(issuer.nameVerified ? "Signed by" : "Issuer, in its own words")}>
        <bdi>{shortened(issuer.name)}</bdi>
        <IssuerName issuer={issuer} />
      </Fact>
      {issuer.domain && (
        <Fact name={say("Issuer’s domain")}>
          {issuer.domainVerified ? (
            <>
              <strong className="font-semibold">{issuer.domain}</strong>
              {say(", checked")}
            </>
          ) : (
            say("{domain}, not checked", { domain: issuer.domain })
          )}
        </Fact>
      )}
      {!issuer.domain && issuer.did && (
        <Fact name={say(/^(?:did:web:|https:)/i.test(issuer.did) ? "Issuer’s address" : "Issuer’s key")}>
          <span className="font-mono text-[0.8125rem] wrap-anywhere">{issuer.did}</span>
        </Fact>
      )}
      {from && (
        <Fact name={say("Valid from")}>
          <ForeignMoment at={from} region={issuer} />
        </Fact>
      )}
      <Fact name={say("Valid until")}>
        {expiresAt ? <ForeignMoment at={expiresAt} region={issuer} /> : say("No end date")}
      </Fact>
      {fields.map(({ key, label, value, format }) => (
        <Fact key={key} name={<bdi>{sayOf(label)}</bdi>}>
          {format === "markdown" ? (
            <Markdown text={String(value)} />
          ) : (
            <bdi className="whitespace-pre-line wrap-anywhere">{fieldText({ value, format }, issuer)}</bdi>
          )}
        </Fact>
      ))}
    </Facts>
  );
}
