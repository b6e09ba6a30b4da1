"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import type { RouterOutputs } from "@/server/trpc/root";
import { PasswordForm } from "./password-form";
import { RecoveryCodes } from "./recovery-codes";

export type Passkey = RouterOutputs["secondFactor"]["list"]["passkeys"][number];

interface Props {
  hasPassword: boolean;
  onClose(): void;
}

export function NewCodesDialog({ hasPassword, onClose }: Props) {
  const trpc = useTRPC();
  const [codes, setCodes] = useState<string[] | null>(null);
  const action = useAction(trpc.secondFactor.makeRecoveryCodes.mutationOptions(), {
    keepsData: true,
    onDone: ({ recoveryCodes }) => setCodes(recoveryCodes),
  });
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={codes ? "Your recovery codes" : "Make new recovery codes?"}
      insistent={codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordForm hasPassword={hasPassword} action={action} confirm="Make new codes">
          <p className="text-[0.8125rem]">You get ten new codes. The ones that you have now stop working.</p>
        </PasswordForm>
      )}
    </Dialog>
  );
}

export function RemoveAppDialog({ hasPassword, onClose }: Props) {
  const trpc = useTRPC();
  const action = useAction(trpc.secondFactor.removeAuthenticator.mutationOptions(), {
    done: "Authenticator app removed",
    onDone: onClose,
  });
  return (
    <Dialog isOpen onOpenChange={onClose} title="Remove the authenticator app?">
      <PasswordForm hasPassword={hasPassword} action={action} confirm="Remove" isDanger>
        <p className="text-[0.8125rem] text-pretty">
          Its codes no longer sign you in. Without another second factor, your password alone does.
        </p>
      </PasswordForm>
    </Dialog>
  );
}

export function RemovePasskeyDialog({ passkey, hasPassword, onClose }: Props & { passkey: Passkey }) {
  const trpc = useTRPC();
  const action = useAction(trpc.secondFactor.removePasskey.mutationOptions(), {
    done: "Passkey removed",
    onDone: onClose,
  });
  return (
    <Dialog isOpen onOpenChange={onClose} title={`Remove ${passkey.name}?`}>
      <PasswordForm
        hasPassword={hasPassword}
        action={{ ...action, run: ({ password }) => action.run({ id: passkey.id, password }) }}
        confirm="Remove"
        isDanger
      >
        <p className="text-[0.8125rem] text-pretty">
          This passkey no longer signs you in. You may also want to delete it on the device that keeps it.
        </p>
      </PasswordForm>
    </Dialog>
  );
}

export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const trpc = useTRPC();
  const [name, setName] = useState(passkey.name);
  const action = useAction(trpc.secondFactor.renamePasskey.mutationOptions(), { onDone: onClose });
  return (
    <Dialog isOpen onOpenChange={onClose} title="Rename this passkey">
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={name}
        onSubmit={() => action.run({ id: passkey.id, name })}
      >
        <TextInput label="Name" name="name" value={name} onChange={setName} maxLength={60} autoFocus />
        <DialogActions>
          <CancelButton />
          <Button type="submit" isPending={action.isPending} isDisabled={!name.trim()}>
            Rename
          </Button>
        </DialogActions>
      </ProblemForm>
    </Dialog>
  );
}
