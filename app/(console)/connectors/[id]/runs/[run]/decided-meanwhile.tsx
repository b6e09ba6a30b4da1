"use client";
import { useMemo } from "react";
import type { Problem } from "@/components/problem";
import { Notice } from "@/components/ui/notice";
import { useActorNames } from "../../../../_data/names";

/** The decision of another administrator, who approved or cancelled a held run first. */
export interface Decided {
  isCancelled: boolean;
  by: { type: string; id: string };
}

/** Reads another administrator's decision from an error; null for any other error, such as a run that a newer file replaced. */
export function decidedMeanwhile({ code, members }: Problem): Decided | null {
  const by = members?.["decidedBy"] as Decided["by"] | null | undefined;
  return code === "run_state" && by ? { isCancelled: members?.["runStatus"] === "cancelled", by } : null;
}

/** Says who decided first, and what this means for the people of the run. */
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
