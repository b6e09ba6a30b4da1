import { formatDay } from "@/server/core/dates";
import type { Verification } from "@/server/verification/view";
import { say } from "./words";

type Issuer = Verification["credential"]["issuer"];

/** Says who confirmed the name of an issuer. A name that only the issuer states is never shown as checked. */
export function IssuerName({ issuer }: { issuer: Issuer }) {
  const listed = issuer.registries.filter(({ status }) => status === "listed");
  if (!issuer.nameVerified && listed.length === 0)
    return issuer.slug === "" ? null : (
      <span className="block text-xs text-warning-soft-foreground">
        {say("The organisation gives itself this name; nobody has confirmed it.")}
      </span>
    );
  return (
    <>
      {listed.map(({ name, issuerName, readAt }) => (
        <span key={name} className="block text-xs text-muted">
          {say("Listed in “")}
          <bdi>{name}</bdi>”
          {issuerName !== issuer.name && (
            <>
              {" "}
              {say("as")} <bdi>{issuerName}</bdi>
            </>
          )}
          {readAt && say(", as of {day}", { day: formatDay(readAt, issuer) })}
        </span>
      ))}
      {listed.length === 0 && <span className="block text-xs text-muted">{say("Name confirmed")}</span>}
      {!issuer.nameVerified && (
        <span className="block text-xs text-warning-soft-foreground">
          {say("The organisation gives itself another name than the registry; nobody has confirmed it.")}
        </span>
      )}
    </>
  );
}
