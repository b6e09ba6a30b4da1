import type { Verification } from "@/server/verification/view";
import { IssuerName } from "./issuer-name";
import { shortened } from "./shortened";
import { say } from "./words";

type Credential = Pick<Verification["credential"], "kind" | "title" | "issuer">;

/** The title and issuer of a credential, for readers who compare them with the person in front of them. */
export function TitleAndIssuer({ credential: { kind, title, issuer } }: { credential: Credential }) {
  const isForeign = kind === "external";
  return (
    <p className="mt-3 text-[0.9375rem] text-pretty wrap-anywhere">
      <bdi>{shortened(title)}</bdi>
      <span className="block text-[0.8125rem] text-muted">
        {isForeign ? say(issuer.nameVerified ? "Signed by" : "Issuer, in its own words") : say("Issued by")}{" "}
        <bdi>{shortened(issuer.name)}</bdi>
        {isForeign && issuer.domainVerified && ` (${issuer.domain})`}
        {!issuer.nameVerified && <IssuerName issuer={issuer} />}
      </span>
    </p>
  );
}
