"use client";
import { useSyncExternalStore } from "react";
import { CopyText } from "./copy-text";
import { say } from "./words";

const never = () => () => undefined;

/** Copies a code. Only there where scripts run. */
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
