"use client";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { TextInput } from "@/components/ui/fields";
import { decidedMeanwhile, type Overtaken, type SeenPhoto } from "./photo-overtaken";

interface Props {
  /** The photo to reject; null while the dialog is closed. */
  seen: SeenPhoto | null;
  /** The initial reason: the text that was entered for a photo of the same person before it was replaced. */
  keptReason: string;
  onClose(): void;
  onReplaced(id: string, reason: string): void;
  onOvertaken(overtaken: Overtaken): void;
}

/** Asks why a photo is rejected. */
export function PhotoRejection({ seen, keptReason, onClose, onReplaced, onOvertaken }: Props) {
  const trpc = useTRPC();
  const [opened, setOpened] = useState<SeenPhoto | null>(null);
  const [reason, setReason] = useState("");
  const reject = useAction(trpc.subjects.rejectPhoto.mutationOptions(), {
    done: "Photo rejected",
    onDone: onClose,
    onProblem(problem, sent) {
      const now = decidedMeanwhile(problem);
      if (now && seen) onOvertaken({ ...seen, reason: sent.reason, now });
      else if (problem.code === "precondition_failed") onReplaced(sent.id, sent.reason);
      return problem.code === "precondition_failed";
    },
  });
  // The title keeps the name while the dialog closes.
  if (seen && seen !== opened) {
    setOpened(seen);
    setReason(keptReason);
    reject.reset();
  }
  const name = opened && (opened.subject.displayName || opened.subject.externalId);
  return (
    <Confirm
      isOpen={seen !== null}
      onOpenChange={onClose}
      title={
        <>
          Reject the photo of <bdi>{name}</bdi>?
        </>
      }
      confirm="Reject photo"
      isPending={reject.isPending}
      problem={reject.problem}
      entered={reason}
      onConfirm={() =>
        seen && reject.run({ id: seen.subject.id, photoStatus: "pending", photoUpdatedAt: seen.photoUpdatedAt, reason })
      }
    >
      <p>No card shows it until another photo is set.</p>
      <TextInput
        label="What is wrong with it"
        name="reason"
        value={reason}
        onChange={setReason}
        isRequired
        autoFocus
        description="For whoever sends another photo, such as “The face is not to be seen”."
      />
    </Confirm>
  );
}
