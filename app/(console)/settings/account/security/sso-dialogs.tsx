"use client";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { PasswordForm } from "./password-form";

interface Props {
  hasPassword: boolean;
  onClose(): void;
}

/** Connects the reader's account with the identity provider. */
export function ConnectDialog({ hasPassword, onClose }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.secondFactor.connectSso.mutationOptions(), {
    keepsData: true,
    onDone: ({ url }) => window.location.assign(url),
  });
  return (
    <Dialog isOpen onOpenChange={onClose} title="Connect single sign-on">
      <PasswordForm hasPassword={hasPassword} action={{ ...action, isPending: action.isPending || action.isDone }}>
        <p className="text-[0.8125rem] text-pretty">
          You sign in there next, and come back here. From then on you can use it in place of your password.
        </p>
      </PasswordForm>
    </Dialog>
  );
}

export function DisconnectDialog({ hasPassword, onClose }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.secondFactor.disconnectSso.mutationOptions(), {
    done: "Single sign-on disconnected",
    onDone: onClose,
  });
  return (
    <Dialog isOpen onOpenChange={onClose} title="Disconnect single sign-on?">
      <PasswordForm hasPassword={hasPassword} action={action} confirm="Disconnect" isDanger>
        <p className="text-[0.8125rem] text-pretty">You sign in with your password from then on.</p>
      </PasswordForm>
    </Dialog>
  );
}
