"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import type { RouterOutputs } from "@/server/trpc/root";
import { withoutSent } from "../without-sent";
import { FileField } from "./file-field";

const empty = { certificate: "", privateKey: "", passphrase: "", wwdr: "" };

/** The form for the certificate, key and intermediate certificate from Apple. The service checks that they belong together. */
export function AppleForm({ settings }: { settings: RouterOutputs["wallets"]["apple"] }) {
  const trpc = useTRPC();
  const [entered, setEntered] = useState(empty);
  const action = useAction(trpc.wallets.setApple.mutationOptions(), {
    done: "Saved: passes are signed with this certificate from now on",
    onDone: (_, { passphrase = "", ...files }) => setEntered((now) => withoutSent(now, { ...files, passphrase })),
  });
  const field = (name: keyof typeof empty) => ({
    name,
    value: entered[name],
    onChange: (value: string) => setEntered((before) => ({ ...before, [name]: value })),
  });
  const { passphrase, ...files } = entered;
  const isComplete = Object.values(files).every((value) => value !== "");
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={entered}
      onSubmit={() =>
        isComplete && action.run({ ...files, ...(passphrase !== "" && { passphrase }), ifMatch: settings.etag })
      }
    >
      <FileField
        {...field("certificate")}
        label="Certificate of the pass type"
        accept=".cer,.pem,.crt"
        description="The .cer file that Apple made for your Pass Type ID, under Certificates, Identifiers & Profiles."
      />
      <FileField
        {...field("privateKey")}
        label="Private key"
        accept=".key,.pem,.p12,.pfx"
        description="The key with which the certificate was requested: a .key or .pem file, or the .p12 file that Keychain Access on a Mac exports. It is stored encrypted and never shown again."
      />
      <TextInput
        {...field("passphrase")}
        label="Passphrase of the key"
        type="password"
        autoComplete="off"
        description="The password that you chose when you exported a .p12 file. Leave it empty if the key has none."
      />
      <FileField
        {...field("wwdr")}
        label="Apple's intermediate certificate"
        accept=".cer,.pem,.crt"
        description="Worldwide Developer Relations, from apple.com/certificateauthority: the one that your certificate names as its issuer, such as G4."
      />
      <Button type="submit" isPending={action.isPending} isDisabled={!isComplete}>
        Save
      </Button>
    </ProblemForm>
  );
}
