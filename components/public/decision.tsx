import { Link } from "@/components/ui/link";
import type { Verification } from "@/server/verification/view";
import { CheckedAt } from "./checked-at";
import { decisionLook } from "./decision-looks";

/** Whether a credential is valid, so that nobody can mistake it: a colour, a sign and words. */
export function Decision({ verification }: { verification: Verification }) {
  const { reasonText, checkedAt, credential } = verification;
  const { icon: Icon, word, meaning, tone } = decisionLook(verification);
  return (
    <section
      role="status"
      aria-labelledby="decision"
      className={`flex gap-4 rounded-2xl px-5 py-5 sm:gap-5 sm:px-6 sm:py-6 print:border print:border-black ${tone}`}
      data-result={verification.result}
      data-reason={verification.reason}
    >
      <Icon className="size-11 shrink-0 sm:size-14" strokeWidth={1.75} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h1 id="decision" className="text-[1.75rem] leading-none font-bold tracking-[-0.02em] sm:text-4xl">{word}</h1>
        <div className="mt-2.5 space-y-1 text-[0.9375rem] text-pretty wrap-anywhere">
          {reasonText && <p className="font-medium">{reasonText}</p>}
          <p>
            {meaning}
            {credential.supersededBy && (
              <>
                {" "}
                <Link href={`/c/${credential.supersededBy}`} className="font-semibold underline underline-offset-4">See it</Link>
              </>
            )}
          </p>
        </div>
        <CheckedAt at={checkedAt} region={credential.issuer} />
      </div>
    </section>
  );
}
