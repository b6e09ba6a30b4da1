"use client";
import { Button, Label, Radio, RadioGroup } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm } from "@/components/ui/fields";
import type { EndpointView } from "@/server/webhooks/view";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  endpoint: EndpointView;
}

const spans = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last 24 hours" },
  { value: "72", label: "The last 3 days" },
  { value: "168", label: "The last 7 days" },
  { value: "720", label: "The last 30 days" },
] as const;

const hour = 3_600_000;

/** Sends again what failed, or for the first time what the endpoint never had. */
export function RecoverDialog({ isOpen, onOpenChange, endpoint }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Recover or replay">
      <RecoverForm endpoint={endpoint} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RecoverForm({ endpoint, onClose }: { endpoint: EndpointView; onClose(): void }) {
  const trpc = useTRPC();
  const [what, setWhat] = useState<"recover" | "replay">("recover");
  const [hours, setHours] = useState<(typeof spans)[number]["value"]>("24");
  const options = { done: sentWords, onDone: onClose };
  const recover = useAction(trpc.webhooks.endpoints.recover.mutationOptions(), options);
  const replay = useAction(trpc.webhooks.endpoints.replayMissing.mutationOptions(), options);
  const action = what === "recover" ? recover : replay;
  return (
    <ProblemForm problem={action.problem} onSubmit={() => action.run({ id: endpoint.id, since: new Date(Date.now() - Number(hours) * hour).toISOString() })}>
      <RadioGroup aria-label="What to send" value={what} onChange={(next) => setWhat(next as typeof what)} className="gap-3">
        <Way value="recover" title="Recover what failed">Everything that failed or was parked is sent again, with all its retries before it.</Way>
        <Way value="replay" title="Replay what it never had">Events from before it was registered, or before it subscribed to them.</Way>
      </RadioGroup>
      <Choice<(typeof spans)[number]["value"]> label="Of" value={hours} onChange={setHours} options={spans} />
      <DialogActions>
        <Button variant="outline" onPress={onClose}>Cancel</Button>
        <Button type="submit" isPending={action.isPending}>{what === "recover" ? "Recover" : "Replay"}</Button>
      </DialogActions>
    </ProblemForm>
  );
}

function sentWords({ queued, more }: { queued: number; more: boolean }): string {
  if (queued === 0) return "There was nothing to send";
  const sent = `${queued.toLocaleString("en")} ${queued === 1 ? "delivery is" : "deliveries are"} sent now`;
  return more ? `${sent}. There are more: do it again for the rest.` : sent;
}

function Way({ value, title, children }: { value: string; title: string; children: string }) {
  return (
    <Radio value={value}>
      <Radio.Content className="items-start">
        <Radio.Control><Radio.Indicator /></Radio.Control>
        <span>
          <Label className="block">{title}</Label>
          <span className="block text-[0.8125rem] font-normal text-muted">{children}</span>
        </span>
      </Radio.Content>
    </Radio>
  );
}
