"use client";
import { Button } from "@heroui/react";
import { Check, CircleStop } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { useSession } from "../../../../_shell/session";
import { count, isUnderWay, people, waitsWhole, type Connector, type Run } from "../../../words";
import { decidedMeanwhile, type Decided } from "./decided-meanwhile";

interface Props {
  connector: Connector;
  run: Run;
  /** Called if another administrator approved or cancelled the run first. */
  onDecided(decided: Decided): void;
}

/** Approves or cancels a held run, or stops a running one. */
export function Decision({ connector, run, onDecided }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [asked, setAsked] = useState<"approve" | "cancel" | null>(null);
  const close = () => setAsked(null);
  const approve = useAction(trpc.connectors.approve.mutationOptions(), {
    done: "Approved",
    onDone: close,
    onProblem(problem) {
      const decided = decidedMeanwhile(problem);
      if (!decided) return false;
      close();
      onDecided(decided);
      return true;
    },
  });
  const cancel = useAction(trpc.connectors.cancel.mutationOptions(), { done: "Cancelled", onDone: close });
  const isHeld = run.status === "held";
  const isWhole = waitsWhole(run);
  const endsMemberships = (run.hold?.memberships ?? 0) > 0;
  const maySay = isHeld ? can("connectors:approve") : isUnderWay(run) && can("connectors:run");
  if (!maySay) return null;
  // The API refuses if the number of deactivations has changed. The error has the new number for the next confirmation.
  const left =
    approve.problem?.code === "count_mismatch" ? Number(approve.problem.members?.["count"]) : run.counts.held;
  const at = { id: connector.id, run: run.id };
  return (
    <>
      <Button variant="outline" onPress={() => setAsked("cancel")}>
        <CircleStop aria-hidden="true" /> {isHeld ? "Cancel file" : "Stop"}
      </Button>
      {isHeld && (
        <Button onPress={() => setAsked("approve")}>
          <Check aria-hidden="true" /> Approve
        </Button>
      )}
      <Confirm
        isOpen={asked === "approve"}
        onOpenChange={close}
        title={
          isWhole
            ? "Apply this file?"
            : endsMemberships
              ? `Carry out ${count(left)} removals?`
              : `Deactivate ${people(left)}?`
        }
        confirm={isWhole ? "Apply the file" : endsMemberships ? "Carry out the removals" : `Deactivate ${people(left)}`}
        isPending={approve.isPending}
        problem={approve.problem}
        onConfirm={() => approve.run({ ...at, expectedCount: left })}
      >
        <p>
          {isWhole
            ? "The values that it lacks are removed. Undo takes that back for 7 days."
            : endsMemberships
              ? "Deactivated people get no new credentials. Policies end the credentials of people who leave a group that the policy uses. Undo takes the file back for 7 days."
              : "They get no new credentials. Policies end those that they issued to them; others stay valid. A later file that lists them makes them active again."}
        </p>
      </Confirm>
      <Confirm
        isOpen={asked === "cancel"}
        onOpenChange={close}
        title={isHeld ? "Cancel this file?" : "Stop here?"}
        confirm={isHeld ? "Cancel the file" : "Stop"}
        keep={isHeld ? "Keep waiting" : "Go on"}
        tone={isHeld ? "primary" : "danger"}
        isPending={cancel.isPending}
        problem={cancel.problem}
        onConfirm={() => cancel.run(at)}
      >
        <p>
          {isHeld
            ? isWhole
              ? "Nothing of it is applied."
              : "Nobody is deactivated and nobody leaves a group that policies use. What else the file changed stays as it is."
            : "What was applied so far stays as it is."}
        </p>
      </Confirm>
    </>
  );
}
