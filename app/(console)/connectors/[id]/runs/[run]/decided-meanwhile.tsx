"use client";
import { useMemo } from "react";
import type { Problem } from "@/components/problem";
import { Notice } from "@/components/ui/notice";
import { useActorNames } from "../../../../_data/names";

/** What became of a held run that somebody else decided on first. */
export interface Decided {
  isCancelled: boolean;
  by: { type: string; id: string };
}

/** What somebody else decided on a held run; null for any other refusal, such as that a newer file replaced this one. */
export function decidedMeanwhile({ code, members }: Problem): Decided | null {
  const by = members?.["decidedBy"] as Decided["by"] | null | undefined;
  return code === "run_state" && by ? { isCancelled: members?.["runStatus"] === "cancelled", by } : null;
}

/** Tells who was faster, and what it means for the people of the run. */
export function DecidedMeanwhile({ decided: { isCancelled, by } }: { decided: Decided }) {
  const nameOf = useActorNames(useMemo(() => [by], [by]));
  return (
    <Notice
      tone="danger"
      title={isCancelled ? "Not approved: this file was cancelled" : "This file was approved meanwhile"}
      className="mb-5"
    >
      <bdi>{nameOf(by)}</bdi>{" "}
      {isCancelled ? "was faster and cancelled it. Nobody was deactivated." : "approved it before you did."}
    </Notice>
  );
}
