"use client";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import type { CredentialView } from "@/server/credentials/view";
import { StepForm } from "../step-form";

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
