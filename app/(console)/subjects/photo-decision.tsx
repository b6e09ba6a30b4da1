"use client";
import { Button } from "@heroui/react";
import { Check, UserRoundCheck, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { TextInput } from "@/components/ui/fields";
import type { SubjectView } from "@/server/subjects/view";
import { useActorNames } from "../_data/names";
import { useSession } from "../_shell/session";
import { decidedMeanwhile, type Overtaken } from "./photo-overtaken";

interface Props {
  subject: Pick<SubjectView, "id" | "displayName" | "externalId" | "photoSetBy">;
  /** Of the photo that is looked at: another one is not decided on. */
  photoUpdatedAt: string;
  isRejected?: boolean;
  /** Told what somebody else decided before. This part of the page may be gone once that is read anew. */
  onOvertaken(overtaken: Overtaken): void;
}

/**
 * Approves or rejects a photo that cards wait for, or approves one that was rejected. Where it was replaced meanwhile,
 * nothing is decided and the reason is kept; nor where somebody else decided otherwise.
 */
export function PhotoDecision({ subject, photoUpdatedAt, isRejected = false, onOvertaken }: Props) {
  const { id, displayName, externalId, photoSetBy } = subject;
  const name = displayName || externalId;
  const trpc = useTRPC();
  /** The photo that was shown when the dialog opened; null while it is closed. */
  const [rejecting, setRejecting] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const tellOvertaken = (problem: Problem, sent: { photoUpdatedAt: string; reason?: string }) => {
    const now = decidedMeanwhile(problem);
    if (!now) return;
    setRejecting(null);
    setReason("");
    onOvertaken({ subject, photoUpdatedAt: sent.photoUpdatedAt, reason: sent.reason ?? null, now });
  };
  const approve = useAction(trpc.subjects.approvePhoto.mutationOptions(), {
    done: "Photo approved",
    onProblem: tellOvertaken,
  });
  const reject = useAction(trpc.subjects.rejectPhoto.mutationOptions(), {
    done: "Photo rejected",
    onDone() {
      setRejecting(null);
      setReason("");
    },
    onProblem: tellOvertaken,
  });
  const isReplaced = [approve, reject].some(
    ({ problem }) => problem?.code === "precondition_failed" && !decidedMeanwhile(problem),
  );
  if (isReplaced && rejecting !== null) setRejecting(null);
  const forget = () => {
    approve.reset();
    reject.reset();
  };
  const basis = { id, photoStatus: isRejected ? ("rejected" as const) : ("pending" as const) };
  return (
    <div className="flex flex-wrap gap-2">
      {photoSetBy && <SetBy actor={photoSetBy} />}
      <Button
        size="sm"
        variant={isRejected ? "outline" : "primary"}
        aria-label={`Approve the photo of ${name}`}
        isPending={approve.isPending}
        onPress={() => {
          forget();
          approve.run({ ...basis, photoUpdatedAt });
        }}
      >
        <Check aria-hidden="true" /> {isRejected ? "Approve after all" : "Approve"}
      </Button>
      {!isRejected && (
        <Button
          size="sm"
          variant="outline"
          aria-label={`Reject the photo of ${name}`}
          onPress={() => {
            forget();
            setRejecting(photoUpdatedAt);
          }}
        >
          <X aria-hidden="true" /> Reject
        </Button>
      )}
      {isReplaced ? (
        <p role="alert" className="w-full text-xs text-pretty text-danger">
          The photo was replaced meanwhile. Look at the new one and decide again.{reason && " Your reason is kept."}
        </p>
      ) : (
        approve.problem &&
        !decidedMeanwhile(approve.problem) && (
          <p role="alert" className="w-full text-xs text-pretty text-danger">
            {approve.problem.title}. {approve.problem.detail}
          </p>
        )
      )}
      <Confirm
        isOpen={rejecting !== null}
        onOpenChange={() => {
          setRejecting(null);
          setReason("");
        }}
        title={
          <>
            Reject the photo of <bdi>{name}</bdi>?
          </>
        }
        confirm="Reject photo"
        isPending={reject.isPending}
        problem={reject.problem}
        entered={reason}
        onConfirm={() => rejecting && reject.run({ ...basis, photoUpdatedAt: rejecting, reason })}
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
    </div>
  );
}

/** Whose photo is decided on, so that nobody takes their own for one that a second person has seen. */
function SetBy({ actor }: { actor: NonNullable<SubjectView["photoSetBy"]> }) {
  const { user } = useSession();
  const nameOf = useActorNames(useMemo(() => [actor], [actor]));
  if (actor.type === "user" && actor.id === user.id)
    return (
      <p className="flex w-full items-center gap-1.5 text-xs font-medium text-pretty">
        <UserRoundCheck className="size-3.5 shrink-0" aria-hidden="true" /> You set this photo yourself.
      </p>
    );
  return (
    <p className="w-full text-xs text-pretty">
      Set by <bdi>{nameOf(actor)}</bdi>
    </p>
  );
}
