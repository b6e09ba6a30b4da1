"use client";
import { Button } from "@heroui/react";
import { CircleOff, History, Pause, Play, Send, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { RowMenu } from "@/components/ui/row-menu";
import type { EndpointView } from "@/server/webhooks/endpoints/view";
import { useSession } from "../../_shell/session";
import { RecoverDialog } from "../_parts/recover-dialog";
import { TestDialog } from "./test-dialog";

/** The actions that an endpoint's state allows. */
export function EndpointActions({ endpoint }: { endpoint: EndpointView }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [dialog, setDialog] = useState<"test" | "recover" | "disable" | "delete" | null>(null);
  const opener = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  });
  const close = () => setDialog(null);
  const pause = useAction(trpc.webhooks.endpoints.pause.mutationOptions(), { done: "Endpoint paused", loud: true });
  const enable = useAction(trpc.webhooks.endpoints.enable.mutationOptions(), { done: "Endpoint enabled", loud: true });
  const disable = useAction(trpc.webhooks.endpoints.disable.mutationOptions(), {
    done: "Endpoint disabled",
    onDone: close,
  });
  const remove = useAction(trpc.webhooks.endpoints.delete.mutationOptions(), {
    done: "Endpoint deleted",
    onDone: () => router.replace("/webhooks"),
  });
  if (!can("webhooks:write")) return null;
  const { id, status } = endpoint;
  const active = status === "active";
  return (
    <>
      {active ? (
        <Button variant="outline" isPending={pause.isPending} onPress={() => pause.run({ id })}>
          <Pause aria-hidden="true" /> Pause
        </Button>
      ) : (
        <Button isPending={enable.isPending} onPress={() => enable.run({ id })}>
          <Play aria-hidden="true" /> Enable
        </Button>
      )}
      {active && (
        <Button variant="outline" onPress={() => setDialog("test")}>
          <Send aria-hidden="true" /> Send test
        </Button>
      )}
      <RowMenu
        outlined
        label="More actions"
        actions={[
          active && { id: "recover", label: "Recover or replay…", icon: History, onAction: () => setDialog("recover") },
          status !== "disabled" && {
            id: "disable",
            label: "Disable",
            icon: CircleOff,
            onAction: () => setDialog("disable"),
          },
          { id: "delete", label: "Delete", icon: Trash2, danger: true, onAction: () => setDialog("delete") },
        ]}
      />
      <TestDialog {...opener("test")} endpoint={endpoint} />
      <RecoverDialog {...opener("recover")} endpointId={id} />
      <Confirm
        {...opener("disable")}
        title="Disable this endpoint?"
        confirm="Disable"
        isPending={disable.isPending}
        problem={disable.problem}
        onConfirm={() => disable.run({ id })}
      >
        <p>
          Nothing is sent to it any more, and what is due is parked. Enable it later and recover what it missed. To hold
          deliveries back for a while, pause it instead.
        </p>
      </Confirm>
      <Confirm
        {...opener("delete")}
        title="Delete this endpoint?"
        confirm="Delete endpoint"
        isPending={remove.isPending || remove.isDone}
        problem={remove.problem}
        onConfirm={() => remove.run({ id })}
      >
        <p>
          <strong className="font-semibold">This cannot be undone.</strong> Its secret is erased, and what is due to it
          is cancelled. Past deliveries stay in the log until they expire.
        </p>
      </Confirm>
    </>
  );
}
