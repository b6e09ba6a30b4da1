"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { Json } from "@/components/ui/json";
import type { EventType } from "@/server/events/catalogue";
import type { EndpointView } from "@/server/webhooks/endpoints/view";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  endpoint: EndpointView;
}

/** Sends a sample of any event type, and opens its delivery. */
export function TestDialog({ isOpen, onOpenChange, endpoint }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      size="lg"
      title="Send a test event"
      description="A realistic sample, signed like any other. It has test: true, is not in the event log and is not retried."
    >
      <TestForm endpoint={endpoint} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function TestForm({ endpoint, onClose }: { endpoint: EndpointView; onClose(): void }) {
  const trpc = useTRPC();
  const [, setDelivery] = useQueryState("delivery", parseAsString.withOptions({ history: "push" }));
  const [type, setType] = useState<EventType>("credential.issued");
  const { data } = useQuery(trpc.events.types.queryOptions({}, { staleTime: Infinity }));
  const action = useAction(trpc.webhooks.endpoints.test.mutationOptions(), {
    done: "Test event sent",
    onDone: (delivery) => {
      onClose();
      void setDelivery(delivery.id);
    },
  });
  const sample = data?.data.find((each) => each.type === type)?.sample;
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={null}
      onSubmit={() => action.run({ id: endpoint.id, type })}
    >
      <Choice<string>
        label="Event type"
        name="type"
        value={type}
        onChange={(next) => setType(next as EventType)}
        options={data?.data.map((each) => ({ value: each.type, label: each.type })) ?? []}
      />
      {sample && <Json value={sample} what="sample" />}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending}>
          Send test
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
