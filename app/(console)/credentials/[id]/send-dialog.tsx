"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { SkeletonLines } from "@/components/ui/skeleton";
import { useSession } from "../../_shell/session";
import type { StepProps } from "./step-dialogs";

/** Sends the link to the credential's page: to the person's address, unless another one is typed. */
export function SendDialog({ isOpen, onOpenChange, credential, holder }: StepProps) {
  const trpc = useTRPC();
  const { can } = useSession();
  const seesPeople = can("subjects:read");
  const person = useQuery(
    trpc.subjects.get.queryOptions({ id: credential.subjectId }, { enabled: isOpen && seesPeople }),
  );
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      size="sm"
      title={
        <>
          Send <bdi>{holder}</bdi>'s credential
        </>
      }
      description="The message has the link to the public page. Whoever reads it sees what the page shows."
    >
      {seesPeople && person.isPending ? (
        <SkeletonLines lines={2} />
      ) : (
        <SendForm id={credential.id} recorded={person.data?.email ?? null} onClose={() => onOpenChange(false)} />
      )}
    </Dialog>
  );
}

function SendForm({ id, recorded, onClose }: { id: string; recorded: string | null; onClose(): void }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [address, setAddress] = useState(recorded ?? "");
  const action = useAction(trpc.credentials.send.mutationOptions(), {
    done: ({ address: to }) => `Queued for ${to}`,
    goesOn: true,
    onDone: onClose,
  });
  const to = address.trim();
  // Without the right to see people, nobody here knows the person's address; the service does.
  const mayBeEmpty = !can("subjects:read");
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={address}
      onSubmit={() => action.run({ id, ...(to !== "" && to !== recorded && { to }) })}
    >
      <TextInput
        label="E-mail address"
        name="to"
        type="email"
        value={address}
        onChange={setAddress}
        isRequired={!mayBeEmpty}
        autoFocus
        description={
          recorded
            ? "The person’s address. Another one is used for this message alone."
            : mayBeEmpty
              ? "Leave it empty for the address in the person’s record."
              : "The person has none in the record. This one is used for this message alone."
        }
      />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!mayBeEmpty && to === ""}>
          Send
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
