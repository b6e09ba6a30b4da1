"use client";
import { WifiOff } from "lucide-react";
import { useOnline } from "./online";

/** A banner that is shown while the browser has no connection. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-warning px-4 py-2 text-center text-[0.8125rem] font-medium text-pretty text-warning-foreground">
          <WifiOff className="size-4 shrink-0" aria-hidden="true" />
          You are offline. What you see may be out of date, and nothing can be changed until the connection is back.
        </p>
      )}
    </div>
  );
}
