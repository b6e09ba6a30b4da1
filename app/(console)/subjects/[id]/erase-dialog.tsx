"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm, Tick } from "@/components/ui/confirm";
import { TextInput } from "@/components/ui/fields";
import type { RouterOutputs } from "@/server/trpc/root";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  subject: RouterOutputs["subjects"]["get"];
}

/** Erases a person permanently. Says how many credentials end, and how many stay. */
export function EraseDialog({ isOpen, onOpenChange, subject }: Props) {
  const trpc = useTRPC();
  const [reason, setReason] = useState("");
  const [includeAcademic, setIncludeAcademic] = useState(false);
  const live = { subjectId: subject.id, state: "pending,active,suspended", limit: 1, offset: 0 };
  const all = useQuery(trpc.credentials.list.queryOptions(live, { enabled: isOpen }));
  const academic = useQuery(trpc.credentials.list.queryOptions({ ...live, kind: "academic" }, { enabled: isOpen }));
  const action = useAction(trpc.subjects.erase.mutationOptions(), {
    done: "Person erased",
    onDone: () => onOpenChange(false),
  });
  const counts =
    all.data?.total !== undefined && academic.data?.total !== undefined
      ? { all: all.data.total, academic: academic.data.total }
      : null;
  const name = subject.displayName || subject.externalId;
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Erase <bdi>{name}</bdi>?
        </>
      }
      confirm="Erase for good"
      typed={{ text: subject.externalId, label: `Type ${subject.externalId} to confirm` }}
      entered={{ reason, includeAcademic }}
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: subject.id, reason, includeAcademic })}
    >
      <p>
        For people who ask for it by law. Their name, e-mail and attributes, what their credentials say of them, and the
        notes about them are removed everywhere in this service. This cannot be undone, and your system cannot add them
        again.
      </p>
      {counts && <p>{consequence(counts, includeAcademic)}</p>}
      {counts !== null && counts.academic > 0 && (
        <Tick isSelected={includeAcademic} onChange={setIncludeAcademic}>
          Revoke {counts.academic === 1 ? "the academic credential" : `the ${counts.academic} academic credentials`} too
        </Tick>
      )}
      <p>What was sent to your other systems, and your backups, is not reached from here.</p>
      <TextInput
        label="Reason"
        name="reason"
        value={reason}
        onChange={setReason}
        isRequired
        description="For the audit log, which keeps it. Name the request, not the person."
      />
    </Confirm>
  );
}

function consequence({ all, academic }: { all: number; academic: number }, includeAcademic: boolean): string {
  const ending = includeAcademic ? all : all - academic;
  const ends =
    ending === 0
      ? "No credential ends."
      : ending === 1
        ? "1 credential will be revoked."
        : `${ending} credentials will be revoked.`;
  if (academic === 0 || includeAcademic) return ends;
  return `${ends} ${academic === 1 ? "1 academic credential stays valid; its page names nobody." : `${academic} academic credentials stay valid; their pages name nobody.`}`;
}
