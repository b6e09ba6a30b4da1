"use client";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/console/use-action";
import { posted, useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import type { RouterOutputs } from "@/server/trpc/root";
import { count, people } from "../../words";

type Summary = RouterOutputs["connectors"]["stagedSummary"];

export interface Asked {
  step: "approve" | "discard";
  /** The chosen removals; null for all waiting removals. */
  only: { subjectId: string; groupId: string | null }[] | null;
}

interface Props {
  connectorId: string;
  asked: Asked | null;
  /** The number of all waiting removals. */
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
  const summary = useQuery(
    trpc.connectors.stagedSummary.queryOptions(
      { id: connectorId, ...(only && { removals: only }) },
      { enabled: asked !== null, trpc: posted },
    ),
  ).data;
  // A decision on all removals is refused if removals were added or withdrawn meanwhile. The error has the new number
  // for the next confirmation.
  const changedTo = ({ problem }: typeof approve | typeof discard) =>
    problem?.code === "count_mismatch" ? Number(problem.members?.["count"]) : null;
  const waiting = (action: typeof approve | typeof discard) => changedTo(action) ?? total;
  // A chosen removal disappears if the directory withdraws it. The summary counts the removals that still wait.
  const chosen = summary ? summary.deactivated + summary.deleted + summary.memberships : (only?.length ?? 0);
  const said = (action: typeof approve | typeof discard) => removalsOf(only === null ? waiting(action) : chosen);
  const problemOf = (action: typeof approve | typeof discard) => {
    const count = changedTo(action);
    if (count === null || !action.problem) return action.problem;
    const waits = `${removalsOf(count)} ${count === 1 ? "waits" : "wait"}`;
    return { ...action.problem, detail: `${waits} now: the directory has changed since. Nothing was done yet.` };
  };
  const input = (action: typeof approve | typeof discard) => ({
    id: connectorId,
    ...(only ? { removals: only } : { expectedCount: waiting(action) }),
  });
  return (
    <>
      <Confirm
        isOpen={asked?.step === "approve"}
        onOpenChange={onClose}
        title={`Approve ${said(approve)}?`}
        confirm={`Approve ${said(approve)}`}
        isPending={approve.isPending}
        problem={problemOf(approve)}
        onConfirm={() => approve.run(input(approve))}
      >
        {summary ? (
          <Consequences of={summary} />
        ) : (
          <p>
            People who left the directory are deactivated: they get no new credentials, and policies end those that they
            issued to them. People who were taken out of a group leave it, and policies end what they hold by it.
          </p>
        )}
        {only === null && waiting(approve) > atOnce && (
          <p>The oldest {count(atOnce)} are done now. Approve again for the others.</p>
        )}
      </Confirm>
      <Confirm
        isOpen={asked?.step === "discard"}
        onOpenChange={onClose}
        title={`Discard ${said(discard)}?`}
        confirm="Remove nobody"
        tone="primary"
        isPending={discard.isPending}
        problem={problemOf(discard)}
        onConfirm={() => discard.run(input(discard))}
      >
        <p>
          {summary ? `${people(summary.people)} ${summary.people === 1 ? "stays" : "stay"}` : "They stay"} here as they
          are, and the directory is shown that. It may remove them again.
        </p>
      </Confirm>
    </>
  );
}

/** Counts what an approval does. */
function Consequences({ of: { people: all, deactivated, deleted, memberships, credentials } }: { of: Summary }) {
  const ended = deactivated + deleted;
  if (all === 0) return <p>The directory has taken back what it removed, so nobody is removed here.</p>;
  return (
    <>
      <p>The directory removed {people(all)}:</p>
      <ul className="list-disc space-y-1 ps-5">
        {ended > 0 && (
          <li>
            {people(ended)} {ended === 1 ? "is" : "are"} deactivated and {ended === 1 ? "gets" : "get"} no new
            credentials
            {deleted > 0 && `: the directory deleted ${deactivated === 0 ? "them" : `${count(deleted)} of them`}`}.
          </li>
        )}
        {memberships > 0 && (
          <li>{memberships === 1 ? "1 person leaves a group" : `${count(memberships)} memberships in groups end`}.</li>
        )}
        <li>
          {credentials === 0
            ? "No policy ends a credential for that."
            : `Policies then end up to ${credentials === 1 ? "1 credential" : `${count(credentials)} credentials`} of these people.`}
        </li>
      </ul>
    </>
  );
}

/** The API approves at most this many removals in one request. */
const atOnce = 5000;

export const removalsOf = (n: number) => (n === 1 ? "1 removal" : `${count(n)} removals`);
