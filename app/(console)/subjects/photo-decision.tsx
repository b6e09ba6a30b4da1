"use client";
import { Button } from "@heroui/react";
import { Check, UserRoundCheck, X } from "lucide-react";
import { useMemo } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import type { SubjectView } from "@/server/subjects/view";
import { useActorNames } from "../_data/names";
import { useSession } from "../_shell/session";
import { decidedMeanwhile } from "./photo-overtaken";
import type { PhotoDecisions } from "./use-photo-decisions";

interface Props {
  subject: Pick<SubjectView, "id" | "displayName" | "externalId" | "photoSetBy">;
  /** The photo on the screen. A decision never applies to a different photo. */
  photoUpdatedAt: string;
  isRejected?: boolean;
  decisions: PhotoDecisions;
}

/**
 * Approves or rejects a photo that cards wait for, or approves a rejected one. If the photo was replaced meanwhile,
 * nothing is decided and the reason is kept. The same applies if somebody else decided differently.
 */
export function PhotoDecision({ subject, photoUpdatedAt, isRejected = false, decisions }: Props) {
  const { id, displayName, externalId, photoSetBy } = subject;
  const name = displayName || externalId;
  const trpc = useTRPC();
  const approve = useAction(trpc.subjects.approvePhoto.mutationOptions(), {
    done: "Photo approved",
    gone: `The photo of ${name} was removed meanwhile`,
    onProblem(problem, sent) {
      const now = decidedMeanwhile(problem);
      if (now) decisions.onOvertaken({ subject, photoUpdatedAt: sent.photoUpdatedAt, reason: null, now });
      return now !== null;
    },
  });
  const { problem } = approve;
  const isOvertaken = problem !== null && decidedMeanwhile(problem) !== null;
  const kept = decisions.replaced?.id === id ? decisions.replaced : null;
  const isReplaced = kept !== null || (problem?.code === "precondition_failed" && !isOvertaken);
  return (
    <div className="flex flex-wrap gap-2">
      {photoSetBy && <SetBy actor={photoSetBy} />}
      <Button
        size="sm"
        variant={isRejected ? "outline" : "primary"}
        aria-label={`Approve the photo of ${name}`}
        isPending={approve.isPending}
        onPress={() => {
          approve.reset();
          if (kept) decisions.forgetReplaced();
          approve.run({ id, photoStatus: isRejected ? "rejected" : "pending", photoUpdatedAt });
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
            approve.reset();
            decisions.reject({ subject, photoUpdatedAt });
          }}
        >
          <X aria-hidden="true" /> Reject
        </Button>
      )}
      {isReplaced ? (
        <p role="alert" className="w-full text-xs text-pretty text-danger">
          The photo was replaced meanwhile. Look at the new one and decide again.{kept && " Your reason is kept."}
        </p>
      ) : (
        problem &&
        !isOvertaken && (
          <p role="alert" className="w-full text-xs text-pretty text-danger">
            {problem.title}. {problem.detail}
          </p>
        )
      )}
    </div>
  );
}

/**
 * Says who set the photo, so that reviewers notice a photo that they set themselves, which no second person has seen.
 */
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
