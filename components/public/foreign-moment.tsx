"use client";
import { useSyncExternalStore } from "react";
import { formatExact, type Region } from "@/server/core/dates";
import { say } from "./words";

const never = () => () => undefined;

/**
 * An instant that a credential of another issuer names. Nothing says in which zone that issuer's days end, so it is
 * told in UTC, as the checks tell it, and once scripts run in the reader's own words as well where these differ.
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
