"use client";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { ConfirmWithReason } from "@/components/ui/confirm-with-reason";
import type { NameRequestView } from "@/server/holders/name-request-view";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** Null while the dialog is closed. */
  request: NameRequestView | null;
}

/** Asks before a name is changed, because the change reissues credentials. */
export function ApproveName({ isOpen, onOpenChange, request }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.holders.approveName.mutationOptions(), {
    done: "Name changed",
    onDone: () => onOpenChange(false),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Change this name?"
      confirm="Change name"
      tone="primary"
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => request && action.run({ id: request.id })}
    >
      <p>
        <bdi>{request?.currentName || "No name"}</bdi> becomes <bdi>{request?.name}</bdi>. Live academic credentials are
        issued again under that name, and the former ones are revoked. Nobody can find one from the other. A connector
        that sends the former name again sets it back.
      </p>
    </Confirm>
  );
}

/** Asks why a name request is rejected. */
export function RejectName({ isOpen, onOpenChange, request }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.holders.rejectName.mutationOptions(), {
    done: "Request rejected",
    onDone: () => onOpenChange(false),
  });
  return (
    <ConfirmWithReason
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Reject this request?"
      confirm="Reject request"
      isPending={action.isPending}
      problem={action.problem}
      description="The holder reads it, such as “Please send us your certificate of marriage”."
      onConfirm={(reason) => request && action.run({ id: request.id, reason })}
    >
      <p>The name stays as it is, and the holder can ask again.</p>
    </ConfirmWithReason>
  );
}
