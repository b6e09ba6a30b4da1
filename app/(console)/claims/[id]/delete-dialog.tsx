"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  link: { id: string; name: string };
}

/** Deletes a claim link. Claimed credentials stay. */
export function DeleteDialog({ isOpen, onOpenChange, link }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.claims.links.delete.mutationOptions(), {
    done: "Claim link deleted",
    onDone: () => router.replace("/claims"),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{link.name}</bdi>?
        </>
      }
      confirm="Delete claim link"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: link.id })}
    >
      <p>Whoever opens it reads that the offer has ended. The credentials that were claimed stay as they are.</p>
    </Confirm>
  );
}
