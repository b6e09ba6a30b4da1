"use client";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { count } from "../../words";

export interface Asked {
  step: "approve" | "discard";
  /** The removals that were chosen; null for all that wait. */
  only: { subjectId: string; groupId: string | null }[] | null;
}

interface Props {
  connectorId: string;
  asked: Asked | null;
  /** How many removals wait in all. */
  total: number;
  onClose(): void;
  onDone(): void;
}

/** Asks before removals are approved or discarded: all of them, or the chosen ones. */
export function StagedDecision({ connectorId, asked, total, onClose, onDone }: Props) {
  const trpc = useTRPC();
  const done = () => {
    onClose();
    onDone();
  };
  const approve = useAction(trpc.connectors.approveStaged.mutationOptions(), { done: "Approved", onDone: done });
  const discard = useAction(trpc.connectors.discardStaged.mutationOptions(), { done: "Discarded", onDone: done });
  const only = asked?.only ?? null;
  // The API refuses if the number of waiting removals has changed. The error has the new number for the next confirmation.
  const waiting = ({ problem }: typeof approve | typeof discard) =>
    problem?.code === "count_mismatch" ? Number(problem.members?.["count"]) : total;
  const said = (action: typeof approve | typeof discard) => removalsOf(only === null ? waiting(action) : only.length);
  const input = (action: typeof approve | typeof discard) => ({
    id: connectorId,
    expectedCount: waiting(action),
    ...(only && { removals: only }),
  });
  return (
    <>
      <Confirm
        isOpen={asked?.step === "approve"}
        onOpenChange={onClose}
        title={`Approve ${said(approve)}?`}
        confirm={`Approve ${said(approve)}`}
        isPending={approve.isPending}
        problem={approve.problem}
        onConfirm={() => approve.run(input(approve))}
      >
        <p>
          People who left the directory are deactivated: they get no new credentials, and policies end those that they
          issued to them. People who were taken out of a group leave it, and policies end what they hold by it.
          {only === null &&
            waiting(approve) > atOnce &&
            ` The oldest ${count(atOnce)} are done now; approve again for the others.`}
        </p>
      </Confirm>
      <Confirm
        isOpen={asked?.step === "discard"}
        onOpenChange={onClose}
        title={`Discard ${said(discard)}?`}
        confirm="Remove nobody"
        tone="primary"
        isPending={discard.isPending}
        problem={discard.problem}
        onConfirm={() => discard.run(input(discard))}
      >
        <p>Nobody is removed, and the directory is shown that they are still here. It may remove them again.</p>
      </Confirm>
    </>
  );
}

/** The API approves at most this many removals in one request. */
const atOnce = 5000;

export const removalsOf = (n: number) => (n === 1 ? "1 removal" : `${count(n)} removals`);
