"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";

/** Replaces the key that signs, after a question that names the consequence. */
export function RotateKey({ etag }: { etag: string }) {
  const trpc = useTRPC();
  const [isAsked, setAsked] = useState(false);
  const action = useAction(trpc.issuer.rotateKey.mutationOptions(), {
    done: "The next key signs from now on",
    onDone: () => setAsked(false),
  });
  const ask = () => {
    action.reset();
    setAsked(true);
  };
  return (
    <>
      <Button size="sm" variant="outline" onPress={ask}>
        Replace key…
      </Button>
      <Confirm
        isOpen={isAsked}
        onOpenChange={setAsked}
        title="Replace the signing key?"
        confirm="Replace key"
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run({ kind: "ed25519", ifMatch: etag })}
      >
        <p>
          The next key signs from now on. Credentials that the present key signed stay valid, and nobody has to be sent
          anything.
        </p>
        <p>
          The secret part of the present key is deleted, so this cannot be undone. If you fear that somebody copied a
          key, revoke it instead: a thief signs in your name until you do.
        </p>
      </Confirm>
    </>
  );
}
