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
import { endOfDay, endsWithDay, formatExactUntil, lastDayOf } from "@/server/core/dates";
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

/** Asks for the last day. If the day is unchanged, nothing is sent, so that an end within the day keeps its time. */
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
  const dayOf = (end: string | null) => (end ? lastDayOf(end, timeZone) : "");
  /**
   * The end that the form changes: as it was when the dialog opened or, after a conflict, as it was saved meanwhile.
   */
  const [original, setOriginal] = useState(expiresAt);
  const [day, setDay] = useState(dayOf(original));
  const isOriginal = day === dayOf(original);
  const action = useAction(trpc.credentials.update.mutationOptions(), { done: "Expiry changed", onDone: onClose });
  const entered = isOriginal ? original : day ? endOfDay(day, timeZone).toISOString() : null;
  const { ifMatch, conflict } = useBasis({
    record: credential,
    shown: (c) => ({ expiresAt: c.expiresAt }),
    entered: { expiresAt: entered },
    onMerge(merged) {
      setOriginal(expiresAt);
      setDay(dayOf(merged.expiresAt));
    },
    labels: { expiresAt: "Valid through" },
    say: (value) => (typeof value === "string" ? formatExactUntil(value, region) : "no end"),
    action,
    reload: onReload,
  });
  const save = () => (isOriginal ? onClose() : action.run({ id, ifMatch, expiresAt: entered }));
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
      {original && isOriginal && !endsWithDay(original, timeZone) && (
        <p className="text-xs text-muted">It now ends within that day: {formatExactUntil(original, region)}.</p>
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
