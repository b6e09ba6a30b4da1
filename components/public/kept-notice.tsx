import { WifiOff } from "lucide-react";
import { formatExact, type Region } from "@/server/core/dates";
import { say } from "./words";

/** A notice on a kept page that could not be requested anew (bundle/browser/offline.ts). */
export function KeptNotice({ at, region }: { at: string; region: Region }) {
  return (
    <div
      data-kept-notice=""
      className="mb-4 hidden gap-2.5 rounded-lg border border-warning/40 bg-warning-soft px-3 py-2.5 text-[0.8125rem] text-warning-soft-foreground"
    >
      <WifiOff className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <p className="text-pretty">
        <strong className="block font-medium">{say("No connection: this is what was known last")}</strong>
        {say("As of")} <time dateTime={at}>{formatExact(at, region)}</time>
        {say(". It may have ended since. Whoever checks it scans the QR code.")}
      </p>
    </div>
  );
}
