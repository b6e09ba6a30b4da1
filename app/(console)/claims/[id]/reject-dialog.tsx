"use client";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ConfirmWithReason } from "@/components/ui/confirm-with-reason";
import type { DecidedClaims } from "@/server/claims/claim-view";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  ids: string[];
  onDone(decided: DecidedClaims): void;
}

/** Rejects claims after asking for a reason. */
export function RejectDialog({ isOpen, onOpenChange, ids, onDone }: Props) {
  const trpc = useTRPC();
  const reject = useAction(trpc.claims.reject.mutationOptions(), {
    done: ({ succeeded }) =>
      succeeded === 0 ? null : succeeded === 1 ? "One claim rejected" : `${succeeded} claims rejected`,
    onDone(decided) {
      onOpenChange(false);
      onDone(decided);
    },
  });
  return (
    <ConfirmWithReason
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={ids.length === 1 ? "Reject this claim?" : `Reject ${ids.length} claims?`}
      confirm="Reject"
      isPending={reject.isPending}
      problem={reject.problem}
      description="It is mailed to whoever claimed."
      onConfirm={(reason) => reject.run({ ids, reason })}
    >
      <p>
        {ids.length === 1
          ? "Its place is free again. The same address cannot claim under this link again."
          : "Their places are free again. The same addresses cannot claim under this link again."}
      </p>
    </ConfirmWithReason>
  );
}
