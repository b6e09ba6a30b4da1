"use client";
import { useSyncExternalStore } from "react";
import { formatExact, type Region } from "@/server/core/dates";

const never = () => () => undefined;

/** When the answer was found: in the issuer's time zone, and in the reader's own once scripts run. */
export function CheckedAt({ at, region }: { at: string; region: Region }) {
  const text = useSyncExternalStore(
    never,
    () => formatExact(at, { ...region, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
    () => formatExact(at, region),
  );
  return (
    <p className="mt-3 text-xs tabular-nums opacity-90">
      <span className="print:hidden">Checked just now: </span>
      <span className="hidden print:inline">As of </span>
      <time dateTime={at}>{text}</time>
      <span className="hidden print:inline">. Scan the QR code to see whether that still holds.</span>
    </p>
  );
}
