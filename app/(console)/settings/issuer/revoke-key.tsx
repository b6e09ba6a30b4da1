"use client";
import { AskFirst } from "@/components/console/ask-first";
import { useTRPC } from "@/components/trpc/client";
import type { RouterOutputs } from "@/server/trpc/root";

interface Props {
  of: RouterOutputs["issuer"]["get"]["keys"][number];
  etag: string;
}

/** Revokes a key that may have been copied, after a question that names the consequence. */
export function RevokeKey({ of: key, etag }: Props) {
  const trpc = useTRPC();
  return (
    <AskFirst
      button="Revoke…"
      label={`Revoke the key ${key.publicKeyMultibase.slice(-6)}`}
      variant="ghost"
      title="Revoke this key?"
      confirm="Revoke key"
      typed={{ label: "Type REVOKE to go on", text: "REVOKE" }}
      mutation={trpc.issuer.revokeKey.mutationOptions()}
      input={{ id: key.id, ifMatch: etag }}
      done="Key revoked"
    >
      <p>
        Do this if somebody may have copied the key. From now on nothing that it signed is valid anywhere, whatever date
        it bears.
      </p>
      {key.status !== "next" && (
        <p>
          Files that holders saved before, such as badges and PDFs, will no longer verify. They get a new file from the
          page of their credential, which is signed with another key.
        </p>
      )}
      <p>It cannot be undone. To change keys as a precaution, use “Replace key” instead: then old files stay valid.</p>
    </AskFirst>
  );
}
