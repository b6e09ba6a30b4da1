"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { useRegion } from "@/components/ui/region";
import { endOfDay, endsWithDay, formatUntil, lastDayOf } from "@/server/core/dates";
import type { StepProps } from "./step-dialogs";

export function ExpiryDialog({ isOpen, onOpenChange, credential }: StepProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} size="sm" title="Change expiry">
      <Reloadable>
        {(reload) => <ExpiryForm credential={credential} onReload={reload} onClose={() => onOpenChange(false)} />}
      </Reloadable>
    </Dialog>
  );
}

/** Asks for the last day. If it stays as it is, nothing is sent, so that an end within the day keeps its time. */
function ExpiryForm({
  credential,
  onReload,
  onClose,
}: {
  credential: StepProps["credential"];
  onReload(): void;
  onClose(): void;
}) {
  const { id, expiresAt } = credential;
  const trpc = useTRPC();
  const region = useRegion();
  const { timeZone } = region;
  const [before] = useState(expiresAt ? lastDayOf(expiresAt, timeZone) : "");
  const [day, setDay] = useState(before);
  const action = useAction(trpc.credentials.update.mutationOptions(), { done: "Expiry changed", onDone: onClose });
  const entered = day === before ? expiresAt : day ? endOfDay(day, timeZone).toISOString() : null;
  const { ifMatch, conflict } = useBasis({
    record: credential,
    shown: (c) => ({ expiresAt: c.expiresAt }),
    entered: { expiresAt: entered },
    onMerge: (merged) => setDay(merged.expiresAt ? lastDayOf(merged.expiresAt, timeZone) : ""),
    labels: { expiresAt: "Valid through" },
    say: (value) => (typeof value === "string" ? formatUntil(value, region) : "no end"),
    action,
    reload: onReload,
  });
  const save = () => (day === before ? onClose() : action.run({ id, ifMatch, expiresAt: entered }));
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={day}
      onSubmit={save}
      conflict={conflict}
    >
      <DateInput
        label="Valid through"
        name="expiresAt"
        value={day}
        onChange={setDay}
        description={`The last day on which it is valid, in the time zone ${timeZone}. Leave it empty for no end.`}
      />
      {expiresAt && day === before && !endsWithDay(expiresAt, timeZone) && (
        <p className="text-xs text-muted">It now ends within that day: {formatUntil(expiresAt, region)}.</p>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending}>
          Save
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
