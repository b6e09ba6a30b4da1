"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  template: { id: string; name: string };
}

/** Deletes a template that was never published. */
export function DeleteDialog({ isOpen, onOpenChange, template }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.templates.delete.mutationOptions(), {
    done: "Template deleted",
    onDone: () => router.replace("/templates"),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{template.name}</bdi>?
        </>
      }
      confirm="Delete template"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: template.id })}
    >
      <p>
        The template and its drafts are removed for good. It was never published, so no credential was issued from it.
      </p>
    </Confirm>
  );
}
