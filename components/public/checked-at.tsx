"use client";
import { formatExact, type Region } from "@/server/core/dates";
import type { Freshness } from "./use-freshness";
import { say } from "./words";

/** When the answer was found, in the organisation's time zone as all times of the page, and how long ago. */
export function CheckedAt({
  at,
  region,
  recheck,
  freshness: { ageMs, cutOff },
}: {
  at: string;
  region: Region;
  /** How a reader of a printed page can check whether the credential is still valid. */
  recheck: string;
  freshness: Freshness;
}) {
  return (
    // On a phone the age wraps the line once scripts run. Its space is reserved, so that nothing below it moves.
    <p className="mt-3 min-h-8 text-xs tabular-nums sm:min-h-0 print:min-h-0">
      <span className="print:hidden">
        {ageMs === null ? say("Checked") : say("Checked {ago}", { ago: ago(ageMs) })}:{" "}
      </span>
      <span className="hidden print:inline">{say("As of")} </span>
      <time dateTime={at}>{formatExact(at, region)}</time>
      <span className="hidden print:inline">{say(". {recheck} to see whether that still holds.", { recheck })}</span>
      {cutOff !== null && (
        <strong className="mt-1 block text-[0.9375rem] font-semibold print:hidden" role="alert">
          {say("It could not be checked again since: {cutOff}.", { cutOff: say(cutOff) })}
        </strong>
      )}
    </p>
  );
}

function ago(ageMs: number): string {
  const seconds = Math.floor(ageMs / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 5) return say("just now");
  if (minutes < 1) return say("{n} seconds ago", { n: seconds });
  if (hours < 1) return minutes === 1 ? say("1 minute ago") : say("{n} minutes ago", { n: minutes });
  return hours === 1 ? say("1 hour ago") : say("{n} hours ago", { n: hours });
}
