"use client";
import { useSyncExternalStore } from "react";

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });
const never = () => () => undefined;

/** When the answer was found; in the reader's own time once scripts run. */
export function CheckedAt({ at }: { at: string }) {
  const time = new Date(at);
  const text = useSyncExternalStore(
    never,
    () => new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium" }).format(time),
    () => `${utc.format(time)} UTC`,
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
