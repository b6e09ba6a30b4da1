"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Tick } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import type { CredentialView } from "@/server/credentials/view";
import { StepForm } from "../step-form";
import { EndsAgain } from "./ends-again";

export interface StepProps {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  credential: CredentialView & { etag: string };
  holder: string;
}

export function SuspendDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const action = useAction(trpc.credentials.suspend.mutationOptions(), {
    done: "Credential suspended",
    onDone: () => onOpenChange(false),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Suspend <bdi>{holder}</bdi>'s credential?
        </>
      }
    >
      <StepForm
        action={action}
        confirm="Suspend"
        reason="optional"
        onSubmit={(words) => action.run({ id: credential.id, ...words })}
      >
        <p>
          From this moment on it fails verification, and its public page says so. It can be resumed at any time before
          it expires.
        </p>
      </StepForm>
    </Dialog>
  );
}

export function ResumeDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const action = useAction(trpc.credentials.resume.mutationOptions(), {
    done: "Credential resumed",
    onDone: () => onOpenChange(false),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Resume <bdi>{holder}</bdi>'s credential?
        </>
      }
    >
      <StepForm
        action={action}
        confirm="Resume"
        reason="inHistory"
        onSubmit={(words) => action.run({ id: credential.id, ...words })}
      >
        <p>It is valid again from this moment on. The suspension stays in its history.</p>
        <EndsAgain credential={credential} />
      </StepForm>
    </Dialog>
  );
}

export function RevokeDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const action = useAction(trpc.credentials.revoke.mutationOptions(), {
    done: (revoked, { reason }) =>
      revoked.revocationReason === reason
        ? "Credential revoked"
        : `It was revoked already${revoked.revocationReason ? `: ${revoked.revocationReason}` : ""}`,
    onDone: () => onOpenChange(false),
  });
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Revoke <bdi>{holder}</bdi>'s credential?
        </>
      }
    >
      <StepForm
        action={action}
        confirm="Revoke for good"
        danger
        reason="required"
        onSubmit={({ reason, note }) => action.run({ id: credential.id, reason: reason ?? "", note })}
      >
        <p>
          <strong className="font-semibold">This cannot be undone.</strong> From this moment on the credential fails
          verification, and its public page shows it as revoked with the reason below. Suspend it instead if it may
          become valid again.
        </p>
      </StepForm>
    </Dialog>
  );
}

export function ReissueDialog(props: StepProps) {
  return (
    <Dialog
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      title={
        <>
          Reissue <bdi>{props.holder}</bdi>'s credential?
        </>
      }
    >
      <ReissueForm {...props} />
    </Dialog>
  );
}

function ReissueForm({ onOpenChange, credential }: StepProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.credentials.reissue.mutationOptions(), {
    done: "Credential reissued",
    onDone: (made) => {
      onOpenChange(false);
      router.push(`/credentials/${made.id}`);
    },
  });
  const [linkPublicly, setLinkPublicly] = useState(false);
  const live = credential.state !== "revoked" && credential.state !== "expired";
  return (
    <StepForm
      action={action}
      confirm="Reissue"
      reason={live ? "optional" : undefined}
      withoutNote
      onSubmit={({ reason }) => action.run({ id: credential.id, reason, linkPublicly })}
    >
      <p>
        A new credential, with a new code, is made from the template's current version.{" "}
        {live
          ? "This one is revoked in the same step."
          : `This one stays ${credential.state}, but verifiers are told from then on that it was replaced by a newer one.`}
      </p>
      {credential.suspendedAt && (
        <p>
          <strong className="font-semibold">
            Its suspension is carried over: the new credential is suspended too,
          </strong>{" "}
          with the same reason. Resume the new one when it may be valid again.
        </p>
      )}
      <p>Whoever opens the old page reads that it was replaced.</p>
      <EndsAgain credential={credential} />
      <Tick isSelected={linkPublicly} onChange={setLinkPublicly}>
        Let the old page point to the new one
        <span className="block text-xs text-muted">
          Leave this off for a lost card or a changed name: whoever has the old code would find the new credential.
        </span>
      </Tick>
    </StepForm>
  );
}
