"use client";
import { Button, Label, Radio, RadioGroup } from "@heroui/react";
import { useMemo, useState } from "react";
import { Choice } from "@/components/ui/choice";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { useRegion } from "@/components/ui/region";
import { startOfDay } from "@/server/core/dates";
import { nameOfEndpoint, useEndpoints } from "./endpoint-names";
import { StuckCount } from "./stuck-count";
import { useRecovery } from "./use-recovery";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The endpoint to recover. Without it, the reader chooses. */
  endpointId?: string;
  /** The initial choice. */
  suggested?: string | null;
}

/** Resends failed deliveries, or sends events that an endpoint never received. */
export function RecoverDialog({ isOpen, onOpenChange, ...rest }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Recover or replay">
      <RecoverForm {...rest} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

const spans = [
  { value: "1", label: "The last hour" },
  { value: "24", label: "The last 24 hours" },
  { value: "72", label: "The last 3 days" },
  { value: "168", label: "The last 7 days" },
  { value: "720", label: "The last 30 days" },
  { value: "day", label: "Since a day" },
] as const;
type Span = (typeof spans)[number]["value"];

const hour = 3_600_000;
const everyone = "*";

function RecoverForm({ endpointId, suggested, onClose }: Omit<Props, "isOpen" | "onOpenChange"> & { onClose(): void }) {
  const { timeZone } = useRegion();
  const [what, setWhat] = useState<"recover" | "replayMissing">("recover");
  const [span, setSpan] = useState<Span>("24");
  const [day, setDay] = useState("");
  const [target, setTarget] = useState(endpointId ?? suggested ?? everyone);
  const endpoints = useEndpoints().data ?? [];
  const active = endpoints.filter((endpoint) => endpoint.status === "active");
  const resting = endpoints.find((endpoint) => endpoint.id === target && endpoint.status !== "active");
  const endpointIds = target === everyone ? active.map((endpoint) => endpoint.id) : [target];
  const since = useMemo(() => sinceOf(span, day, timeZone), [span, day, timeZone]);
  const recovery = useRecovery(onClose);
  return (
    <ProblemForm
      problem={recovery.problem}
      isPending={false}
      entered={null}
      onSubmit={() => since && recovery.run({ what, endpointIds, since })}
    >
      <RadioGroup
        aria-label="What to send"
        value={what}
        onChange={(next) => setWhat(next as typeof what)}
        className="gap-3"
        isDisabled={recovery.isPending}
      >
        <Way value="recover" title="Recover what failed">
          Everything that failed or was parked is sent again, with all its retries before it.
        </Way>
        <Way value="replayMissing" title="Replay what it never had">
          Events from before it was registered, or before it subscribed to them.
        </Way>
      </RadioGroup>
      {endpointId === undefined && (
        <Choice<string>
          label="Endpoint"
          value={target}
          onChange={setTarget}
          isDisabled={recovery.isPending}
          options={[
            { value: everyone, label: "Every active endpoint" },
            ...endpoints.map((endpoint) => ({ value: endpoint.id, label: nameOfEndpoint(endpoint) })),
          ]}
        />
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Choice<Span> label="From" value={span} onChange={setSpan} options={spans} isDisabled={recovery.isPending} />
        {span === "day" && <DateInput label="Day" value={day} onChange={setDay} />}
      </div>
      {resting && (
        <Notice tone="warning">
          {nameOfEndpoint(resting)} is {resting.status}. Enable it first; then what it missed can be sent.
        </Notice>
      )}
      {what === "recover" && since && !recovery.isPending && endpointIds.length > 0 && (
        <StuckCount endpointIds={endpointIds} since={since} />
      )}
      {recovery.isPending && (
        <p role="status" className="text-[0.8125rem] text-muted tabular-nums">
          {recovery.queued.toLocaleString("en")} on their way so far…
        </p>
      )}
      <DialogActions>
        <Button variant="outline" onPress={onClose}>
          {recovery.isPending ? "Stop" : "Cancel"}
        </Button>
        <Button
          type="submit"
          isPending={recovery.isPending}
          isDisabled={!since || endpointIds.length === 0 || resting !== undefined}
        >
          {what === "recover" ? "Recover" : "Replay"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

function sinceOf(span: Span, day: string, timeZone: string): string | undefined {
  if (span !== "day") return new Date(Date.now() - Number(span) * hour).toISOString();
  return day ? startOfDay(day, timeZone).toISOString() : undefined;
}

function Way({ value, title, children }: { value: string; title: string; children: string }) {
  return (
    <Radio value={value}>
      <Radio.Content className="items-start">
        <Radio.Control>
          <Radio.Indicator />
        </Radio.Control>
        <span>
          <Label className="block">{title}</Label>
          <span className="block text-[0.8125rem] font-normal text-muted">{children}</span>
        </span>
      </Radio.Content>
    </Radio>
  );
}
