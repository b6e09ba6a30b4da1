"use client";
import { useRouter } from "next/navigation";
import { startTransition } from "react";
import type { Verification } from "@/server/verification/view";
import { CheckedAt } from "./checked-at";
import { decisionLook } from "./decision-looks";
import { PageLink } from "./page-link";
import { useFreshness } from "./use-freshness";

interface Props {
  verification: Verification;
  /** Gets a newer answer; without it, the page is loaded again in place. Rejects where there is no connection. */
  askAnew?: () => Promise<void>;
}

/**
 * Whether a credential is valid, so that nobody can mistake it: a colour, a sign and words. An answer that grew old
 * loses its colour.
 */
export function Decision({ verification, askAnew }: Props) {
  const router = useRouter();
  const freshness = useFreshness(verification.checkedAt, askAnew ?? loadAgain);
  const { reasonText, checkedAt, credential } = verification;
  const { icon: Icon, word, meaning, tone } = decisionLook(verification);

  async function loadAgain() {
    // The router leaves the page for the browser's own error where there is no connection, so that is seen to first.
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (!answer.ok) throw new Error(`/healthz answered ${answer.status}`);
    startTransition(() => router.refresh());
  }

  return (
    <section
      aria-labelledby="decision"
      data-stale={freshness.isStale || undefined}
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
            {word}
          </h1>
          <div className="mt-2.5 space-y-1 text-[0.9375rem] text-pretty wrap-anywhere">
            {reasonText && <p className="font-medium">{reasonText}</p>}
            <p>
              {meaning}
              {credential.supersededBy && (
                <>
                  {" "}
                  <PageLink
                    href={`/c/${credential.supersededBy}`}
                    className="font-semibold underline underline-offset-4"
                  >
                    See it
                  </PageLink>
                </>
              )}
            </p>
          </div>
        </div>
        <CheckedAt at={checkedAt} region={credential.issuer} freshness={freshness} />
      </div>
    </section>
  );
}
