"use client";
import { useEffect, useState } from "react";

const utc = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

/** When the answer was found; in the reader's own time once scripts run. */
export function CheckedAt({ at }: { at: string }) {
  const [local, setLocal] = useState<string>();
  useEffect(() => setLocal(new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "medium" }).format(new Date(at))), [at]);
  return (
    <p className="mt-3 text-xs tabular-nums opacity-90">
      <span className="print:hidden">Checked just now: </span>
      <span className="hidden print:inline">As of </span>
      <time dateTime={at}>{local ?? `${utc.format(new Date(at))} UTC`}</time>
      <span className="hidden print:inline">. Scan the QR code to see whether that still holds.</span>
    </p>
  );
}
