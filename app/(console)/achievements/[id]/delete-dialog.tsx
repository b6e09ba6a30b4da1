"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  achievement: { id: string; name: string };
}

/** Deletes an achievement that was never published. */
export function DeleteDialog({ isOpen, onOpenChange, achievement }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.achievements.delete.mutationOptions(), {
    done: "Achievement deleted",
    onDone: () => router.replace("/achievements"),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{achievement.name}</bdi>?
        </>
      }
      confirm="Delete achievement"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: achievement.id })}
    >
      <p>The achievement and its drafts are removed for good. It was never published, so no credential states it.</p>
    </Confirm>
  );
}
