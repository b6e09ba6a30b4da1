"use client";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { TextInput } from "@/components/ui/fields";
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
  const [reason, setReason] = useState("");
  const reject = useAction(trpc.claims.reject.mutationOptions(), {
    done: ({ succeeded }) => (succeeded === 1 ? "One claim rejected" : `${succeeded} claims rejected`),
    onDone(decided) {
      onOpenChange(false);
      setReason("");
      onDone(decided);
    },
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={ids.length === 1 ? "Reject this claim?" : `Reject ${ids.length} claims?`}
      confirm="Reject"
      isPending={reject.isPending}
      problem={reject.problem}
      entered={reason}
      onConfirm={() => reject.run({ ids, reason })}
    >
      <p>Their places are free again. The same addresses cannot claim under this link again.</p>
      <TextInput
        label="Reason"
        name="reason"
        value={reason}
        onChange={setReason}
        isRequired
        autoFocus
        description="The people read it when they open the link again."
      />
    </Confirm>
  );
}
