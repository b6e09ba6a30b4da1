"use client";
import { useSyncExternalStore } from "react";
import { formatExact, type Region } from "@/server/core/dates";
import { say } from "./words";

const never = () => () => undefined;

/**
 * An instant in another issuer's credential. The time zone of that issuer is unknown, so the instant is shown in UTC,
 * as in the checks. Once scripts run, it is also shown in the reader's time zone if that differs.
 */
export function ForeignMoment({ at, region }: { at: string; region: Region }) {
  const text = formatExact(at, region);
  const own = useSyncExternalStore(
    never,
    () => ownWords(at, region),
    () => null,
  );
  return (
    <time dateTime={at}>
      {text}
      {own && <span className="block text-[0.8125rem] text-muted">{say("{own} where you are", { own })}</span>}
    </time>
  );
}

function ownWords(at: string, region: Region): string | null {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const [theirs, own] = [region.timeZone, timeZone].map((zone) =>
    new Date(at).toLocaleString("en", { timeZone: zone, calendar: "gregory" }),
  );
  return theirs === own ? null : formatExact(at, { timeZone, locale: navigator.language });
}
