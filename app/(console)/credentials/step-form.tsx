"use client";
import { Button } from "@heroui/react";
import { Eye, Lock } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Action } from "@/components/console/use-action";
import { DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput, TextInputArea } from "@/components/ui/fields";

export interface Words {
  reason?: string;
  note?: string;
}

interface Props {
  action: Pick<Action<never>, "isPending" | "problem">;
  confirm: string;
  danger?: boolean;
  /** Whether to ask for a reason. Verifiers see it, except for a reason that is kept in the history only. */
  reason?: "required" | "optional" | "inHistory";
  withoutNote?: boolean;
  /** Text that must be typed first, e.g. the number of affected credentials. */
  typed?: string | undefined;
  onSubmit(words: Words): void;
  children: ReactNode;
}

/** The form for a change of a credential's state: its consequence, the public reason, the private note. */
export function StepForm({
  action,
  confirm,
  danger = false,
  reason: asks,
  withoutNote = false,
  typed,
  onSubmit,
  children,
}: Props) {
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const isConfirmed = typed === undefined || confirmation.trim() === typed;
  const submit = () =>
    isConfirmed &&
    onSubmit({ ...(reason.trim() && { reason: reason.trim() }), ...(note.trim() && { note: note.trim() }) });
  return (
    <ProblemForm problem={action.problem} isPending={action.isPending} entered={{ reason, note }} onSubmit={submit}>
      <div className="space-y-2 text-[0.8125rem] leading-5 text-pretty">{children}</div>
      {asks && (
        <TextInputArea
          label={
            asks === "required" ? "Public reason" : asks === "optional" ? "Public reason, if any" : "Reason, if any"
          }
          name="reason"
          value={reason}
          onChange={setReason}
          rows={2}
          maxLength={500}
          isRequired={asks === "required"}
          placeholder={asks === "inHistory" ? "Back from leave" : "Membership ended"}
          autoFocus
          description={
            asks === "inHistory" ? (
              "Kept in the history and told to your webhooks. A valid credential shows no reason."
            ) : (
              <span className="flex items-start gap-1.5 text-warning-soft-foreground">
                <Eye className="mt-px size-3.5 shrink-0" aria-hidden="true" /> Everyone who verifies the credential
                reads this. No private details.
              </span>
            )
          }
        />
      )}
      {!withoutNote && (
        <TextInputArea
          label="Private note, if any"
          name="note"
          value={note}
          onChange={setNote}
          rows={2}
          maxLength={2000}
          description={
            <span className="flex items-start gap-1.5">
              <Lock className="mt-px size-3.5 shrink-0" aria-hidden="true" /> Kept in the history for your organisation
              alone.
            </span>
          }
        />
      )}
      {typed !== undefined && (
        <TextInput label={`Type ${typed} to confirm`} value={confirmation} onChange={setConfirmation} mono />
      )}
      <DialogActions>
        <CancelButton />
        <Button
          type="submit"
          variant={danger ? "danger" : "primary"}
          isPending={action.isPending}
          isDisabled={!isConfirmed || (asks === "required" && !reason.trim())}
        >
          {confirm}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
