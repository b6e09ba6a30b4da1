"use client";
import { Button } from "@heroui/react";
import { useMemo } from "react";
import { useAction } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import type { PhotoStatus, SubjectView } from "@/server/subjects/view";
import { useActorNames } from "../_data/names";

type Decision = Exclude<PhotoStatus, "pending">;

/** The photo that the reader decided on. A decision never applies to another photo of this person. */
export interface SeenPhoto {
  subject: Pick<SubjectView, "id" | "displayName" | "externalId">;
  photoUpdatedAt: string;
}

/** A decision that was not stored, because somebody else decided on the photo first. */
export interface Overtaken extends SeenPhoto {
  /** The reader's decision: a reason rejects, null approves. */
  reason: string | null;
  /** The other person's decision. */
  now: { status: Decision; reason: string | null; by: { type: string; id: string } | null };
}

/** Reads the other person's decision from an error; null for any other error, such as a replaced photo. */
export function decidedMeanwhile(problem: Problem | null): Overtaken["now"] | null {
  const { photoStatus, photoReason, decidedBy } = problem?.members ?? {};
  if (problem?.code !== "precondition_failed" || (photoStatus !== "approved" && photoStatus !== "rejected"))
    return null;
  return {
    status: photoStatus,
    reason: typeof photoReason === "string" ? photoReason : null,
    by: decidedBy as Overtaken["now"]["by"],
  };
}

interface Props {
  overtaken: Overtaken | null;
  /**
   * Called with the newer decision if somebody decides again meanwhile, and with null when the question is answered.
   */
  onChange(overtaken: Overtaken | null): void;
}

/** Says who decided what on the photo meanwhile, and asks whether to decide differently. */
export function PhotoOvertaken({ overtaken, onChange }: Props) {
  return (
    <Dialog
      isOpen={overtaken !== null}
      onOpenChange={() => onChange(null)}
      title="Somebody decided on this photo meanwhile"
    >
      {overtaken && <Question overtaken={overtaken} onChange={onChange} />}
    </Dialog>
  );
}

function Question({ overtaken, onChange }: { overtaken: Overtaken; onChange: Props["onChange"] }) {
  const { subject, photoUpdatedAt, reason, now } = overtaken;
  const trpc = useTRPC();
  const nameOf = useActorNames(useMemo(() => (now.by ? [now.by] : []), [now.by]));
  const settled = {
    onDone: () => onChange(null),
    onProblem(problem: Problem) {
      const again = decidedMeanwhile(problem);
      if (again) onChange({ ...overtaken, now: again });
      return again !== null;
    },
  };
  const approve = useAction(trpc.subjects.approvePhoto.mutationOptions(), { done: "Photo approved", ...settled });
  const reject = useAction(trpc.subjects.rejectPhoto.mutationOptions(), { done: "Photo rejected", ...settled });
  const action = reason === null ? approve : reject;
  const seen = { id: subject.id, photoUpdatedAt, photoStatus: now.status };
  return (
    <div className="space-y-3 text-[0.8125rem] leading-5 text-pretty">
      <p role="alert" className="wrap-anywhere">
        <bdi>{now.by ? nameOf(now.by) : "Somebody"}</bdi> {now.status} the photo of{" "}
        <bdi>{subject.displayName || subject.externalId}</bdi>
        {now.reason ? (
          <>
            : “<bdi>{now.reason}</bdi>”
          </>
        ) : (
          "."
        )}
      </p>
      <p className="wrap-anywhere">
        {reason === null ? (
          "Your approval was not saved."
        ) : (
          <>
            Your rejection was not saved: “<bdi>{reason}</bdi>”
          </>
        )}
      </p>
      {action.problem && !decidedMeanwhile(action.problem) && (
        <Notice tone="danger" title={action.problem.title}>
          {action.problem.code === "precondition_failed"
            ? "The photo was replaced meanwhile. Look at the new one and decide again."
            : action.problem.detail}
        </Notice>
      )}
      <DialogActions>
        <Button variant="outline" onPress={() => onChange(null)} autoFocus>
          Leave it {now.status}
        </Button>
        <Button
          variant={reason === null ? "primary" : "danger"}
          isPending={action.isPending}
          onPress={() => (reason === null ? approve.run(seen) : reject.run({ ...seen, reason }))}
        >
          {reason === null ? "Approve after all" : now.status === "rejected" ? "Write my reason" : "Reject after all"}
        </Button>
      </DialogActions>
    </div>
  );
}
