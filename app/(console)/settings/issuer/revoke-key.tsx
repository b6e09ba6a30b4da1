"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import type { RouterOutputs } from "@/server/trpc/root";

interface Props {
  of: RouterOutputs["issuer"]["get"]["keys"][number];
  etag: string;
}

/** Revokes a key that somebody may have copied, after a question that names the consequence. */
export function RevokeKey({ of: key, etag }: Props) {
  const trpc = useTRPC();
  const [isAsked, setAsked] = useState(false);
  const action = useAction(trpc.issuer.revokeKey.mutationOptions(), {
    done: "Key revoked",
    onDone: () => setAsked(false),
  });
  const ask = () => {
    action.reset();
    setAsked(true);
  };
  return (
    <>
      <Button size="sm" variant="ghost" onPress={ask} aria-label={`Revoke the key ${key.publicKeyMultibase.slice(-6)}`}>
        Revoke…
      </Button>
      <Confirm
        isOpen={isAsked}
        onOpenChange={setAsked}
        tone="danger"
        title="Revoke this key?"
        confirm="Revoke key"
        typed={{ label: "Type REVOKE to go on", text: "REVOKE" }}
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run({ id: key.id, ifMatch: etag })}
      >
        <p>
          Do this if somebody may have copied the key. From now on nothing that it signed is valid anywhere, whatever
          date it bears.
        </p>
        {key.status !== "next" && (
          <p>
            Files that holders saved before, such as badges and PDFs, will no longer verify. They get a new file from
            the page of their credential, which is signed with another key.
          </p>
        )}
        <p>
          It cannot be undone. To change keys as a precaution, use “Replace key” instead: then old files stay valid.
        </p>
      </Confirm>
    </>
  );
}
