"use client";
import { AskFirst } from "@/components/console/ask-first";
import { useTRPC } from "@/components/trpc/client";

/** Replaces the signing key, after a question that names the consequence. */
export function RotateKey({ etag }: { etag: string }) {
  const trpc = useTRPC();
  return (
    <AskFirst
      button="Replace key…"
      title="Replace the signing key?"
      confirm="Replace key"
      mutation={trpc.issuer.rotateKey.mutationOptions()}
      input={{ kind: "ed25519" as const, ifMatch: etag }}
      done="The next key signs from now on"
    >
      <p>
        The next key signs from now on. Credentials that the present key signed stay valid, and nobody has to be sent
        anything.
      </p>
      <p>
        The secret part of the present key is deleted, so this cannot be undone. If you fear that somebody copied a key,
        revoke it instead: a thief signs in your name until you do.
      </p>
    </AskFirst>
  );
}
