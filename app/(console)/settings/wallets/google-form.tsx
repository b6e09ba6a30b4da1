"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import type { RouterOutputs } from "@/server/trpc/root";
import { FileField } from "./file-field";

/** The form for the issuer ID and the service account key. The service tries them at Google before it stores them. */
export function GoogleForm({ settings }: { settings: RouterOutputs["wallets"]["google"] }) {
  const trpc = useTRPC();
  const stored = settings.issuerId ?? "";
  const [issuerId, setIssuerId] = useState(stored);
  const [seen, setSeen] = useState(stored);
  const [serviceAccount, setServiceAccount] = useState("");
  const action = useAction(trpc.wallets.setGoogle.mutationOptions(), {
    done: "Google accepted the key: passes are made with it from now on",
    onDone: (_, sent) => setServiceAccount((now) => (now === sent.serviceAccount ? "" : now)),
  });
  if (stored !== seen) {
    setSeen(stored);
    // Text that was edited after the save began stays.
    if (issuerId === seen || issuerId.trim() === stored) setIssuerId(stored);
  }
  const isComplete = issuerId.trim() !== "" && serviceAccount !== "";
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ issuerId, serviceAccount }}
      onSubmit={() => isComplete && action.run({ issuerId, serviceAccount, ifMatch: settings.etag })}
    >
      <TextInput
        name="issuerId"
        label="Issuer ID"
        value={issuerId}
        onChange={setIssuerId}
        mono
        isRequired
        description="The number in the Google Pay & Wallet Console, under Google Wallet API."
      />
      <FileField
        name="serviceAccount"
        label="Key of the service account"
        accept=".json"
        value={serviceAccount}
        onChange={setServiceAccount}
        description="The JSON file that Google Cloud gave you when you added a key. It is stored encrypted and never shown again."
      />
      <Button type="submit" isPending={action.isPending} isDisabled={!isComplete}>
        Check and save
      </Button>
    </ProblemForm>
  );
}
