"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm } from "@/components/ui/fields";
import type { CredentialView } from "@/server/credentials/view";
import { dayOf, endOfDay } from "../day";
import type { StepProps } from "./step-dialogs";

export function ExpiryDialog({ isOpen, onOpenChange, credential }: StepProps) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} size="sm" title="Change expiry">
      <ExpiryForm credential={credential} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ExpiryForm({ credential, onClose }: { credential: CredentialView; onClose(): void }) {
  const trpc = useTRPC();
  const [date, setDate] = useState(credential.expiresAt ? dayOf(credential.expiresAt) : "");
  const action = useAction(trpc.credentials.update.mutationOptions(), { done: "Expiry changed", onDone: onClose });
  return (
    <ProblemForm problem={action.problem} onSubmit={() => action.run({ id: credential.id, expiresAt: date ? endOfDay(date) : null })}>
      <DateInput label="Valid through" name="expiresAt" value={date} onChange={setDate} description="Leave it empty for a credential that never expires." />
      <DialogActions>
        <Button variant="outline" onPress={onClose}>Cancel</Button>
        <Button type="submit" isPending={action.isPending}>Save</Button>
      </DialogActions>
    </ProblemForm>
  );
}
