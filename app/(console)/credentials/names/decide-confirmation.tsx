"use client";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmWithReason } from "@/components/ui/confirm-with-reason";
import type { ConfirmationView } from "@/server/credentials/confirmation";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** Null while the dialog is closed. */
  request: ConfirmationView | null;
}

/** Asks how the reader knows that a name is right, before confirming it for the holder. */
export function ConfirmForHolder({ isOpen, onOpenChange, request }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.confirmations.confirm.mutationOptions(), {
    done: "Name confirmed, credential issued",
    onDone: () => onOpenChange(false),
  });
  return (
    <ConfirmWithReason
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Confirm this name for the holder?"
      confirm="Confirm and issue"
      tone="primary"
      label="How do you know that the name is right?"
      description="The audit log keeps it, such as “Showed a passport at the counter”."
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={(reason) => request && action.run({ id: request.id, reason })}
    >
      <p>
        The credential is issued at once, to{" "}
        <bdi className="font-medium">{request?.name || "a person without a name"}</bdi>.
      </p>
    </ConfirmWithReason>
  );
}

/** Asks why nothing will be issued. */
export function CancelConfirmation({ isOpen, onOpenChange, request }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.confirmations.cancel.mutationOptions(), {
    done: "Nothing is issued",
    onDone: () => onOpenChange(false),
  });
  return (
    <ConfirmWithReason
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Issue nothing to this person?"
      confirm="Issue nothing"
      description="The holder reads it who opens the link."
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={(reason) => request && action.run({ id: request.id, reason })}
    >
      <p>
        <bdi>{request?.name || "The person"}</bdi> can no longer confirm the name, and no policy asks again. You can
        issue the credential by hand later.
      </p>
    </ConfirmWithReason>
  );
}
