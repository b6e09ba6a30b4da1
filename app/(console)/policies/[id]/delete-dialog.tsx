"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import type { Policy } from "../words";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  policy: Policy;
}

/** Deletes a policy. The credentials that it issued stay. */
export function DeleteDialog({ isOpen, onOpenChange, policy }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.policies.delete.mutationOptions(), {
    done: "Policy deleted",
    onDone: () => router.replace("/policies"),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{policy.name}</bdi>?
        </>
      }
      confirm="Delete policy"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: policy.id })}
    >
      <p>The credentials that it issued stay as they are. From now on nothing ends them automatically.</p>
    </Confirm>
  );
}
