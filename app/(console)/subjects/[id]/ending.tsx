"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import type { RouterOutputs } from "@/server/trpc/root";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  subject: RouterOutputs["subjects"]["get"];
}

/** Deactivates or reactivates a subject. */
export function DeactivateDialog({ isOpen, onOpenChange, subject }: Props) {
  const trpc = useTRPC();
  const active = subject.status === "active";
  const action = useAction(trpc.subjects.update.mutationOptions(), {
    done: active ? "Person deactivated" : "Person reactivated",
    onDone: () => onOpenChange(false),
  });
  const name = subject.displayName || subject.externalId;
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          {active ? "Deactivate" : "Reactivate"} <bdi>{name}</bdi>?
        </>
      }
      confirm={active ? "Deactivate" : "Reactivate"}
      tone={active ? "danger" : "primary"}
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run({ id: subject.id, status: active ? "inactive" : "active" })}
    >
      {active ? (
        <>
          <p>No new credential can be issued to them. It can be undone.</p>
          <p>
            {subject.activeCredentialCount === 0
              ? "They hold no valid credential now."
              : `Their ${subject.activeCredentialCount} valid ${subject.activeCredentialCount === 1 ? "credential stays" : "credentials stay"} valid: degrees outlast a student, and what a policy issued ends with the policy. Suspend or revoke others one by one.`}
          </p>
        </>
      ) : (
        <p>Credentials can be issued to them again. What was suspended or revoked stays so.</p>
      )}
    </Confirm>
  );
}

/** Deletes a subject that never held a credential. For other subjects, says what to do instead. */
export function DeleteDialog({ isOpen, onOpenChange, subject, onDeactivate }: Props & { onDeactivate(): void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const action = useAction(trpc.subjects.delete.mutationOptions(), {
    done: "Person deleted",
    onDone: () => router.replace("/subjects"),
  });
  const name = subject.displayName || subject.externalId;
  if (subject.credentialCount > 0) {
    return (
      <Dialog
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        title={
          <>
            <bdi>{name}</bdi> cannot be deleted
          </>
        }
      >
        <p className="text-[0.8125rem] text-pretty">
          They{" "}
          {subject.credentialCount === 1
            ? "hold or held a credential"
            : `hold or held ${subject.credentialCount} credentials`}
          . The record of what was issued keeps naming them; deactivate them instead.
        </p>
        <DialogActions>
          <Button variant="outline" onPress={() => onOpenChange(false)}>
            Close
          </Button>
          {subject.status === "active" && <Button onPress={onDeactivate}>Deactivate…</Button>}
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Confirm
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={
        <>
          Delete <bdi>{name}</bdi>?
        </>
      }
      confirm="Delete person"
      isPending={action.isPending || action.isDone}
      problem={action.problem}
      onConfirm={() => action.run({ id: subject.id })}
    >
      <p>
        The person and what is recorded of them are removed for good. They never held a credential, so nothing else
        changes.
      </p>
      <p>
        If your system sends <code className="font-mono text-xs">{subject.externalId}</code> again, they are added anew.
      </p>
    </Confirm>
  );
}
