"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { QrCode } from "@/components/public/qr-code";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import type { RouterOutputs } from "@/server/trpc/root";
import { PasswordForm } from "./password-form";
import { RecoveryCodes } from "./recovery-codes";

interface Props {
  hasPassword: boolean;
  /** Called once: after the set-up when the codes were saved, or when the reader cancels. */
  onClose(): void;
}

/** Sets up an authenticator app in steps: the password, the QR code and a first code, the recovery codes. */
export function AppDialog({ hasPassword, onClose }: Props) {
  const [begun, setBegun] = useState<RouterOutputs["secondFactor"]["setUpAuthenticator"] | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const trpc = useTRPC();
  const begin = useAction(trpc.secondFactor.setUpAuthenticator.mutationOptions(), {
    keepsData: true,
    onDone: setBegun,
  });
  const finish = ({ recoveryCodes }: { recoveryCodes: string[] | null }) =>
    recoveryCodes ? setCodes(recoveryCodes) : onClose();
  const title = codes ? "Your recovery codes" : "Set up an authenticator app";
  return (
    <Dialog isOpen onOpenChange={onClose} title={title} insistent={codes !== null}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : begun ? (
        <FirstCode {...begun} onBack={() => setBegun(null)} onDone={finish} />
      ) : (
        <PasswordForm hasPassword={hasPassword} action={begin} />
      )}
    </Dialog>
  );
}

function FirstCode({
  secret,
  url,
  onBack,
  onDone,
}: {
  secret: string;
  url: string;
  onBack(): void;
  onDone(made: { recoveryCodes: string[] | null }): void;
}) {
  const trpc = useTRPC();
  const [code, setCode] = useState("");
  const action = useAction(trpc.secondFactor.confirmAuthenticator.mutationOptions(), { keepsData: true, onDone });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={null}
      onSubmit={() => action.run({ code })}
    >
      <ol className="list-decimal space-y-3 ps-4 text-[0.8125rem] marker:text-muted">
        <li>
          Scan this with an authenticator app: Aegis, Google Authenticator, 1Password, your password manager.
          <QrCode text={url} label="QR code for your authenticator app" className="mt-2 w-44 rounded-lg border" />
          <p className="mt-2 text-xs text-muted">
            Cannot scan? Enter this key:{" "}
            <code className="font-mono text-foreground" title={secret}>
              {secret.replace(/(.{4})/g, "$1 ").trim()}
            </code>{" "}
            <CopyButton text={secret} what="key" className="-my-1" />
          </p>
        </li>
        <li>Enter the six digits that it shows.</li>
      </ol>
      <TextInput
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        value={code}
        onChange={setCode}
        mono
        autoFocus
        className="max-w-40"
      />
      <DialogActions>
        <Button variant="outline" onPress={onBack}>
          Back
        </Button>
        <Button type="submit" isPending={action.isPending} isDisabled={!code.trim()}>
          Turn on
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
