"use client";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { makePasskey, PasskeyRefused } from "@/components/passkey";
import { problemOf, type Problem } from "@/components/problem";
import { useTRPCClient } from "@/components/trpc/client";
import { Dialog } from "@/components/ui/dialog";
import { TextInput } from "@/components/ui/fields";
import { PasswordForm } from "./password-form";
import { RecoveryCodes } from "./recovery-codes";

/** Creates a passkey in this browser or on another device. */
export function PasskeyDialog({ hasPassword, onClose }: { hasPassword: boolean; onClose(): void }) {
  const client = useTRPCClient();
  const [name, setName] = useState("");
  const [codes, setCodes] = useState<string[] | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const add = async (input: { password: string }) => {
    setRefusal(null);
    const options = await client.secondFactor.passkeyOptions.mutate(input);
    return client.secondFactor.addPasskey.mutate({ name, response: await makePasskey(options) });
  };
  const action = useAction(
    {
      mutationFn: add,
      onError: (error: Error) =>
        error instanceof PasskeyRefused &&
        setRefusal({ ...problemOf(error), title: "No passkey was made", detail: error.message }),
    },
    { keepsData: true, onDone: ({ recoveryCodes }) => (recoveryCodes ? setCodes(recoveryCodes) : onClose()) },
  );
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={codes ? "Your recovery codes" : "Add a passkey"}
      insistent={codes !== null}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <PasswordForm
          hasPassword={hasPassword}
          action={{ ...action, problem: refusal ?? action.problem }}
          isDisabled={!name.trim()}
        >
          <p className="text-[0.8125rem] text-pretty text-muted">
            Sign in with your fingerprint, face, PIN or a security key. Your browser asks for it next.
          </p>
          <TextInput
            label="Name"
            name="name"
            value={name}
            onChange={setName}
            maxLength={60}
            placeholder="Work laptop"
            description="So that you can tell your passkeys apart."
            autoFocus
          />
        </PasswordForm>
      )}
    </Dialog>
  );
}
