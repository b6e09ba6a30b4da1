"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import type { Connector } from "../words";
import { DirectoryLosses } from "./directory/losses";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  connector: Connector;
}

/** Deletes a connector. Its people stay. */
export function DeleteDialog({ isOpen, onOpenChange, connector }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.connectors.delete.mutationOptions(), {
    done: "Connector deleted",
    onDone: () => router.replace("/connectors"),
  });
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{connector.name}</bdi>?
        </>
      }
      confirm="Delete connector"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: connector.id })}
    >
      {connector.type === "scim" ? (
        <DirectoryLosses connector={connector} />
      ) : (
        <p>
          Its people stay as they are, and no file changes them any more. A file that is being applied stops, and one
          that waits for an approval is cancelled.
        </p>
      )}
    </Confirm>
  );
}
