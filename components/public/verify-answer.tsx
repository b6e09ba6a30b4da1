import { Link2Off, SearchX } from "lucide-react";
import type { Verification } from "@/server/verification/view";
import { Notice } from "@/components/ui/notice";
import { Checks } from "./checks";
import { CopyCode } from "./copy-code";
import { CredentialFacts } from "./credential-facts";
import { Decision } from "./decision";
import { isOfDocument, isUnsigned } from "./decision-words";
import { ForeignFacts } from "./foreign-facts";
import { Holder, isWithoutDetails } from "./holder";
import { Message } from "./message";
import { PageLink } from "./page-link";
import { buttonLook } from "./plain-button";
import { shortened } from "./shortened";
import { TitleAndIssuer } from "./title-and-issuer";
import { say } from "./words";

export type VerifyOutcome =
  | { kind: "decision"; verification: Verification }
  /** The code does not exist. */
  | { kind: "unknown" }
  /** The typed text cannot be a code. */
  | { kind: "unreadable" }
  | { kind: "foreign"; host: string };

export interface AnswerProps {
  answer: VerifyOutcome;
  /** Requests a newer answer. Rejects with the reason in words. */
  askAnew?: () => Promise<void>;
}

export interface BriefProps {
  verification: Verification;
  askAnew: () => Promise<void>;
}

/** The answer for the person who checks, in simple words. */
export function VerifyAnswer({ answer, askAnew }: AnswerProps) {
  switch (answer.kind) {
    case "decision": {
      const { verification } = answer;
      if (verification.credential.kind === "external")
        return <ForeignAnswer verification={verification} {...(askAnew && { askAnew })} />;
      return (
        <div className="space-y-5">
          <Decision
            verification={verification}
            {...(isOfDocument(verification) && { recheck: say("Check the credential itself again") })}
            {...(askAnew && { askAnew })}
          />
          <div className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
            <p className="mb-4 text-[0.8125rem] text-pretty text-muted">
              {say("Make sure that this is the person and the credential before you.")}
            </p>
            <Holder subject={verification.credential.subject} hasEnded={isWithoutDetails(verification)} />
            <div className="mt-4 border-t pt-4">
              <CredentialFacts
                verification={verification}
                copyCode={<CopyCode code={verification.credential.code} />}
              />
            </div>
            <div className="mt-4 flex flex-wrap items-start justify-between gap-3">
              <Checks checks={verification.checks} />
              <PageLink href={`/c/${verification.credential.code}`} className={`${buttonLook("outline")} no-print`}>
                {say("See the credential")}
              </PageLink>
            </div>
          </div>
        </div>
      );
    }
    case "unknown":
      return (
        <Message icon={SearchX} title={say("There is no credential with this code")}>
          <p>
            {say(
              "Look at the code again: perhaps a character was misread. If it is right, then this service never issued such a credential. Do not accept it.",
            )}
          </p>
        </Message>
      );
    case "unreadable":
      return (
        <Message icon={SearchX} title={say("This is not a code")}>
          <p>
            {say(
              "A code has 16 letters and digits, such as 7Q2M-0X4K-9VTB-C31E. It stands on the credential, near its QR code.",
            )}
          </p>
        </Message>
      );
    case "foreign":
      return (
        <Message icon={Link2Off} title={say("This link leads somewhere else")} tone="warning">
          <p>
            {say("It leads to")} <strong className="font-semibold text-foreground">{answer.host}</strong>
            {say(
              ", not to this service, which can say nothing about it. If somebody says that it was issued here, do not accept it.",
            )}
          </p>
        </Message>
      );
  }
}

/** The answer at the door: the decision, the holder and the issuer, without the details. */
export function BriefAnswer({ verification, askAnew }: BriefProps) {
  const { credential } = verification;
  return (
    <div className="space-y-3">
      <Decision verification={verification} askAnew={askAnew} />
      {!(credential.kind === "external" && isUnproven(verification)) && (
        <div>
          <Holder subject={credential.subject} />
          <TitleAndIssuer credential={credential} />
        </div>
      )}
    </div>
  );
}

const hasFailed = ({ checks }: Verification, check: string) =>
  checks.some(({ name, outcome }) => name === check && outcome === "fail");

/** Whether anybody could have written the content of another issuer's document. */
const isUnproven = (verification: Verification) =>
  hasFailed(verification, "key") || hasFailed(verification, "signature");

/** A credential that another issuer signed: its content, its issuer, and each check. */
function ForeignAnswer({ verification, askAnew }: { verification: Verification; askAnew?: () => Promise<void> }) {
  const { issuer } = verification.credential;
  const isRead = verification.reason !== "malformed" || verification.credential.issuer.did !== null;
  return (
    <div className="space-y-5">
      <Decision
        verification={verification}
        recheck={say("Check the credential itself again")}
        {...(askAnew && { askAnew })}
      />
      {isRead && (
        <div className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
          {hasFailed(verification, "key") ? (
            <div className="mb-4">
              <Notice tone="warning" title={say("Its issuer withdrew the key that signed it")}>
                {say(
                  "The file may be genuine, but nobody can tell. What it says of its holder and issuer is left out here. The page or the code of the credential tells whether it is valid.",
                )}
              </Notice>
            </div>
          ) : isUnsigned(verification) ? (
            <div className="mb-4">
              <Notice tone="warning" title={say("Nobody signed it")}>
                {say(
                  "A credential carries the signature of its issuer, and this document has none. What it says of its holder and issuer is left out here, because anybody can have written it.",
                )}
              </Notice>
            </div>
          ) : hasFailed(verification, "signature") ? (
            <div className="mb-4">
              <Notice tone="warning" title={say("Its signature does not fit")}>
                {say(
                  "It was changed after it was signed, or somebody else made it. What it says of its holder and issuer is left out here, because anybody can have written it.",
                )}
              </Notice>
            </div>
          ) : issuer.slug === "" && issuer.nameVerified ? (
            <p className="mb-4 text-[0.8125rem] text-pretty text-muted">
              {say(
                "This credential was not issued by this service. Its issuer stands under this name in a registry that this service trusts.",
              )}
            </p>
          ) : issuer.nameVerified ? (
            <p className="mb-4 text-[0.8125rem] text-pretty text-muted">
              {say(
                "An organisation of this service signed this. It is not the document of one of its credentials here, so ask the organisation what it is.",
              )}
            </p>
          ) : issuer.domainVerified ? (
            <p className="mb-4 text-[0.8125rem] text-pretty text-muted">
              {say(
                "This credential was not issued by this service. It tells who signed it; whether that is the institution you expect, you see by its domain.",
              )}
            </p>
          ) : (
            <div className="mb-4">
              <Notice tone="warning" title={say("Nobody confirms who the issuer is")}>
                {say("Anyone can make such a key and call it “")}
                <bdi>{shortened(issuer.name)}</bdi>
                {say("”. Ask the institution whether the key below is its own before you rely on this.")}
              </Notice>
            </div>
          )}
          {!isUnproven(verification) && (
            <div className="mb-4">
              <ForeignFacts verification={verification} />
            </div>
          )}
          <Checks checks={verification.checks} isOpen />
        </div>
      )}
    </div>
  );
}
