"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  group: { id: string; name: string; memberCount: number };
}

/** Deletes a group; its people stay. */
export function DeleteDialog({ isOpen, onOpenChange, group }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.groups.delete.mutationOptions(), {
    done: "Group deleted",
    onDone: () => router.replace("/groups"),
  });
  const { memberCount: n } = group;
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{group.name}</bdi>?
        </>
      }
      confirm="Delete group"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: group.id })}
    >
      <p>
        The group is removed for good.{" "}
        {n === 0
          ? "Nobody is in it."
          : n === 1
            ? "The one person in it stays, with everything they hold."
            : `The ${n.toLocaleString("en")} people in it stay, with everything they hold.`}
      </p>
    </Confirm>
  );
}
