import { formatUntil } from "@/server/core/dates";
import { formatCode } from "@/server/credentials/code";
import { say } from "../words";
import { kindName } from "./kind-names";
import type { OfflineDecision } from "./judge";
import { offlineLook } from "./offline-look";
import { readersRegion } from "./region";

/** The offline decision on a signed QR code, with the age of the device's data. */
export function OfflineAnswer({ decision, isBrief }: { decision: OfflineDecision; isBrief: boolean }) {
  const region = readersRegion();
  const { icon: Icon, word, meaning, tone } = offlineLook(decision, new Date(), region);
  const { statement, issuer } = decision;
  return (
    <div className="space-y-4">
      <section
        aria-labelledby="decision"
        className={`flex gap-4 rounded-2xl px-5 py-5 sm:gap-5 sm:px-6 sm:py-6 ${tone}`}
        data-offline-result={decision.result}
        data-reason={decision.reason}
      >
        <Icon className="size-11 shrink-0 sm:size-14" strokeWidth={1.75} aria-hidden="true" />
        <div className="min-w-0 flex-1" role="status">
          <h1 id="decision" className="text-xl leading-snug font-bold tracking-[-0.02em] text-balance sm:text-2xl">
            {word}
          </h1>
          <div className="mt-2 space-y-1 text-[0.9375rem] text-pretty wrap-anywhere">
            {meaning.map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <p className="text-xs">
              {say(
                "The service gave no answer, so this is what this device knows. The service is asked again automatically.",
              )}
            </p>
          </div>
        </div>
      </section>
      {statement && issuer && (
        <div className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
          <p className="text-[0.8125rem] text-muted">{say("Holder")}</p>
          <p className="mt-0.5 text-xl leading-snug font-semibold tracking-[-0.01em] wrap-anywhere">
            <bdi>{statement.name || say("Name not public")}</bdi>
          </p>
          <p className="mt-2 text-[0.9375rem] wrap-anywhere">
            <bdi>{statement.title}</bdi>
            <span className="block text-[0.8125rem] text-muted">
              {say("Signed by")} <bdi>{issuer.name}</bdi>
              {!issuer.nameVerified && say(", a name that nobody has confirmed")}
            </span>
          </p>
          {!isBrief && (
            <p className="mt-2 text-[0.8125rem] text-pretty text-muted">
              {kindName(statement.kind)} {formatCode(statement.code)}
              {statement.expiresAt && say(", valid through {day}", { day: formatUntil(statement.expiresAt, region) })}.{" "}
              {say("Make sure that this is the person before you: without a connection no photo is shown.")}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
