"use client";
import { useSyncExternalStore } from "react";
import { CopyText } from "./copy-text";
import { say } from "./words";

const never = () => () => undefined;

/** A button that copies a code. Only shown if scripts run. */
export function CopyCode({ code }: { code: string }) {
  const running = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    running && (
      <span className="no-print">
        <CopyText text={code} label={say("Copy code")} />
      </span>
    )
  );
}
