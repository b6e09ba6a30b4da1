"use client";
import { useEffect } from "react";
import type { Region } from "@/server/core/dates";
import type { Verification } from "@/server/verification/view";
import { CheckedAt } from "./checked-at";
import { decisionLook } from "./decision-looks";
import { isOfDocument } from "./decision-words";
import { PageLink } from "./page-link";
import { pastPhrase } from "./past-moment";
import { PlainButton } from "./plain-button";
import { useFreshness } from "./use-freshness";
import { say, sayOf } from "./words";

/** The parts of a verification that a decision shows. */
export type Decided = Pick<Verification, "result" | "reason" | "reasonText" | "checks" | "checkedAt"> & {
  credential: Pick<Verification["credential"], "kind" | "supersededBy"> & {
    issuer: Region & Pick<Verification["credential"]["issuer"], "nameVerified" | "domainVerified">;
  };
};

interface Props {
  verification: Decided;
  /** Requests a newer answer, which arrives as another verification. Rejects with the reason in words. */
  askAnew?: () => Promise<void>;
  /** How a reader of a printed page can check whether the credential is still valid. */
  recheck?: string;
}

/** Whether a credential is valid, unmistakably: a colour, an icon and words. An outdated answer loses its colour. */
export function Decision({ verification, askAnew, recheck = say("Check its code again") }: Props) {
  const { reasonText, checkedAt, credential } = verification;
  // Not requested again automatically: a document may be large, and its issuer is asked as well.
  const isAuto = !isOfDocument(verification);
  const freshness = useFreshness(checkedAt, { askAnew: askAnew ?? nobodyToAsk, isAuto });
  const { icon: Icon, word, brief = word, past, meaning, tone } = decisionLook(verification);
  // A decision that was not refreshed is shown in the past tense, except for an ended credential, which stays ended.
  const isPast = past !== undefined && (freshness.cutOff !== null || (!isAuto && freshness.isStale));

  usePastTitle(brief, isPast ? past : null);

  return (
    <section
      aria-labelledby="decision"
      data-stale={freshness.isStale || isPast || undefined}
      className={`flex gap-4 data-stale:grayscale rounded-2xl px-5 py-5 sm:gap-5 sm:px-6 sm:py-6 print:border print:border-black ${tone}`}
      data-result={verification.result}
      data-reason={verification.reason}
    >
      <Icon className="size-11 shrink-0 sm:size-14" strokeWidth={1.75} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <div role="status">
          <h1
            id="decision"
            className={`font-bold tracking-[-0.02em] ${word.length > 24 ? "text-xl leading-snug text-balance sm:text-2xl" : "text-[1.75rem] leading-none sm:text-4xl"}`}
          >
            {isPast ? `${past} ${pastPhrase(checkedAt, new Date(), credential.issuer)}` : word}
          </h1>
          <div className="mt-2.5 space-y-1 text-[0.9375rem] text-pretty wrap-anywhere">
            {reasonText && <p className="font-medium">{sayOf(reasonText)}</p>}
            <p>
              {!isPast && meaning}
              {credential.supersededBy && (
                <>
                  {" "}
                  <PageLink
                    href={`/c/${credential.supersededBy}`}
                    className="font-semibold underline underline-offset-4"
                  >
                    {say("See it")}
                  </PageLink>
                </>
              )}
            </p>
          </div>
        </div>
        <CheckedAt at={checkedAt} region={credential.issuer} recheck={recheck} freshness={freshness} />
        {!isAuto && freshness.isStale && (
          <PlainButton variant="secondary" className="mt-3 print:hidden" onPress={freshness.ask}>
            {say("Check again")}
          </PlainButton>
        )}
      </div>
    </section>
  );
}

/** On the server, where nothing can be refreshed. */
const nobodyToAsk = () => Promise.reject(new Error("no connection"));

/** Updates the title of the page with the decision, or with the past decision once it is outdated. */
function usePastTitle(current: string, past: string | null): void {
  useEffect(() => {
    if (past === null || !document.title.startsWith(current)) return;
    const [before, after] = [document.title, past + document.title.slice(current.length)];
    document.title = after;
    return () => {
      if (document.title === after) document.title = before;
    };
  }, [current, past]);
}
