import { Portrait } from "@/components/card/portrait";
import type { Verification } from "@/server/verification/view";
import { say } from "./words";

type Subject = Verification["credential"]["subject"];

/**
 * The holder of a credential: the photo, if the template shows one, and the name, large enough to compare with the
 * person. It looks the same wherever a credential is checked.
 */
export function Holder({ subject, hasEnded = false }: { subject: Subject; hasEnded?: boolean }) {
  const photo = photoPath(subject);
  const why = whyUnnamed(subject);
  return (
    <div className="flex items-center gap-4" data-holder="">
      {photo && (
        <Portrait
          src={photo}
          name={subject.displayName}
          alt={say("Photo of the holder")}
          className="w-24 shrink-0 rounded-lg border sm:w-28"
        />
      )}
      <div className="min-w-0">
        <p className="text-[0.8125rem] text-muted">{say("Holder")}</p>
        {why ? (
          <p className="mt-0.5 text-pretty">{why}</p>
        ) : (
          <p className="text-xl leading-snug font-semibold tracking-[-0.01em] wrap-anywhere">
            <bdi>{subject.displayName}</bdi>
          </p>
        )}
        {hasEnded && !why && (
          <p className="mt-1 text-[0.8125rem] text-pretty text-muted">
            {say("Now that it has ended, only the holder’s name is shown from the record.")}
          </p>
        )}
      </div>
    </div>
  );
}

/**
 * Whether the credential's statements about its holder, and the photo, are left out because it has ended (decision
 * 282).
 */
export const isWithoutDetails = ({ state, credential }: Verification): boolean =>
  credential.kind !== "academic" && (state === "revoked" || state === "expired");

/** The text that replaces the name on a card without one. */
export function unnamed(subject: Subject): string {
  if (subject.erased) return say("Name erased");
  if (subject.withheld) return say("Name not shown");
  if (subject.hidden) return say("Name not public");
  return say("No name recorded");
}

/** The URL of the photo on our own host, under the host name of the request. */
export function photoPath({ photoUrl }: Subject): string | undefined {
  if (photoUrl === undefined) return undefined;
  const { pathname, search } = new URL(photoUrl);
  return pathname + search;
}

function whyUnnamed(subject: Subject): string | null {
  if (subject.erased) return say("The holder asked for erasure, so nobody is named here.");
  if (subject.withheld)
    return say(
      "No name is shown: the holder’s record has changed since this credential ended. Ask the issuer who held it.",
    );
  if (subject.hidden) return say("The issuer does not make the holder’s name public.");
  return subject.displayName ? null : say("No name recorded");
}
