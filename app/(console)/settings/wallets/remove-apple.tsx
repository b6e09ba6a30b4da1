"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";

/** Removes the certificate and key, after a question that names the consequence. */
export function RemoveApple({ passTypeId }: { passTypeId: string }) {
  const trpc = useTRPC();
  const [isAsked, setAsked] = useState(false);
  const action = useAction(trpc.wallets.removeApple.mutationOptions(), {
    done: "Apple Wallet is no longer set up",
    onDone: () => setAsked(false),
  });
  const ask = () => {
    action.reset();
    setAsked(true);
  };
  return (
    <>
      <Button size="sm" variant="outline" onPress={ask}>
        Remove…
      </Button>
      <Confirm
        isOpen={isAsked}
        onOpenChange={setAsked}
        title="Remove Apple Wallet?"
        confirm="Remove"
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run({})}
      >
        <p>
          The certificate of {passTypeId} and its key are deleted. Nobody can add a pass, and passes that people have
          stay on their phones as they are: a credential that is revoked still looks valid there until somebody checks
          it.
        </p>
        <p>Enter a certificate of the same pass type again, and phones are told what they missed.</p>
      </Confirm>
    </>
  );
}
