"use client";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import type { Connector } from "../../words";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  connector: Connector;
}

/** Asks before a directory is paused, because what it sends meanwhile may never come again. */
export function PauseDialog({ isOpen, onOpenChange, connector }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.connectors.update.mutationOptions(), {
    done: "Paused",
    onDone: () => onOpenChange(false),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Pause <bdi>{connector.name}</bdi>?
        </>
      }
      confirm="Pause directory"
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: connector.id, status: "paused" })}
    >
      <p>
        Each change that the directory sends is refused until you resume, also that somebody has left. The directory can
        still read.
      </p>
      <p>
        Entra sends refused changes again, and stops after days of errors. Okta sends each change once: after you
        resume, look at the tab Differences, and use Force Sync in Okta.
      </p>
    </Confirm>
  );
}
