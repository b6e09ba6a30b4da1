"use client";
import { Button } from "@heroui/react";
import { Eye, Lock } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState, type ReactNode } from "react";
import { useAction, type Action } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm, TextInputArea } from "@/components/ui/fields";
import type { CredentialView } from "@/server/credentials/view";

export interface StepProps {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  credential: CredentialView;
  holder: string;
}

export function SuspendDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const action = useAction(trpc.credentials.suspend.mutationOptions(), { done: "Credential suspended", onDone: () => onOpenChange(false) });
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={`Suspend ${holder}'s credential?`}>
      <StepForm action={action} confirm="Suspend" reason="optional" onCancel={() => onOpenChange(false)} onSubmit={(words) => action.run({ id: credential.id, ...words })}>
        <p>From this moment on it fails verification, and its public page says so. It can be resumed at any time before it expires.</p>
      </StepForm>
    </Dialog>
  );
}

export function ResumeDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const action = useAction(trpc.credentials.resume.mutationOptions(), { done: "Credential resumed", onDone: () => onOpenChange(false) });
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={`Resume ${holder}'s credential?`}>
      <StepForm action={action} confirm="Resume" onCancel={() => onOpenChange(false)} onSubmit={({ note }) => action.run({ id: credential.id, note })}>
        <p>It is valid again from this moment on. The suspension stays in its history.</p>
      </StepForm>
    </Dialog>
  );
}

export function RevokeDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const action = useAction(trpc.credentials.revoke.mutationOptions(), { done: "Credential revoked", onDone: () => onOpenChange(false) });
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={`Revoke ${holder}'s credential?`}>
      <StepForm action={action} confirm="Revoke for good" danger reason="required" onCancel={() => onOpenChange(false)} onSubmit={({ reason, note }) => action.run({ id: credential.id, reason: reason ?? "", note })}>
        <p>
          <strong className="font-semibold">This cannot be undone.</strong> From this moment on the credential fails verification, and its public page shows it as revoked with the reason below. Suspend it instead if it may become valid again.
        </p>
      </StepForm>
    </Dialog>
  );
}

export function ReissueDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.credentials.reissue.mutationOptions(), {
    done: "Credential reissued",
    onDone: (made) => {
      onOpenChange(false);
      router.push(`/credentials/${made.id}`);
    },
  });
  const live = credential.state !== "revoked" && credential.state !== "expired";
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={`Reissue ${holder}'s credential?`}>
      <StepForm action={action} confirm="Reissue" reason={live ? "optional" : undefined} withoutNote onCancel={() => onOpenChange(false)} onSubmit={({ reason }) => action.run({ id: credential.id, reason })}>
        <p>A new credential, with a new code, is made from the template's current version.</p>
        <p>{live ? "This one is revoked as superseded, in the same step: its link and code then point to the new one." : "This one keeps its state and names the new one."}</p>
      </StepForm>
    </Dialog>
  );
}

interface Words {
  reason?: string;
  note?: string;
}

interface FormProps {
  action: Pick<Action<never>, "isPending" | "problem">;
  confirm: string;
  danger?: boolean;
  /** Whether a public reason is asked for. */
  reason?: "required" | "optional";
  withoutNote?: boolean;
  onSubmit(words: Words): void;
  onCancel(): void;
  children: ReactNode;
}

/** A step of a credential's life: its consequence, the public reason, the private note. */
function StepForm({ action, confirm, danger = false, reason: asks, withoutNote = false, onSubmit, onCancel, children }: FormProps) {
  const [reason, setReason] = useState("");
  const [note, setNote] = useState("");
  const submit = () => onSubmit({ ...(reason.trim() && { reason: reason.trim() }), ...(note.trim() && { note: note.trim() }) });
  return (
    <ProblemForm problem={action.problem} onSubmit={submit}>
      <div className="space-y-2 text-[0.8125rem] leading-5 text-pretty">{children}</div>
      {asks && (
        <TextInputArea
          label={asks === "required" ? "Public reason" : "Public reason, if any"}
          name="reason"
          value={reason}
          onChange={setReason}
          rows={2}
          maxLength={500}
          isRequired={asks === "required"}
          placeholder="Membership ended"
          autoFocus
          description={<span className="flex items-start gap-1.5 text-warning-soft-foreground"><Eye className="mt-px size-3.5 shrink-0" aria-hidden="true" /> Everyone who verifies the credential reads this. No private details.</span>}
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
          description={<span className="flex items-start gap-1.5"><Lock className="mt-px size-3.5 shrink-0" aria-hidden="true" /> Kept in the history for your organisation alone.</span>}
        />
      )}
      <DialogActions>
        <Button variant="outline" onPress={onCancel}>Cancel</Button>
        <Button type="submit" variant={danger ? "danger" : "primary"} isPending={action.isPending} isDisabled={asks === "required" && !reason.trim()}>{confirm}</Button>
      </DialogActions>
    </ProblemForm>
  );
}
