"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { useRegion } from "@/components/ui/region";
import { endOfDay, lastDayOf } from "@/server/core/dates";
import type { SubjectView } from "@/server/subjects/view";
import { SubjectPicker } from "../../subjects/subject-picker";
import { effectOptions, type Exception, type Policy } from "../words";
import { verdictOf } from "./why/[subjectId]/words";

interface Props {
  isOpen: boolean;
  onClose(): void;
  policy: Policy;
  /** The exception to change. Without it, a new one is created. */
  exception?: Exception | undefined;
}

/** Grants a policy's credential to one person, or denies it. */
export function ExceptionDialog({ isOpen, onClose, policy, exception }: Props) {
  const title = exception ? (
    <>
      Exception of <bdi>{exception.displayName || exception.externalId}</bdi>
    </>
  ) : (
    "Add exception"
  );
  return (
    <Dialog isOpen={isOpen} onOpenChange={(open) => !open && onClose()} title={title}>
      <ExceptionForm policy={policy} exception={exception} onClose={onClose} />
    </Dialog>
  );
}

function ExceptionForm({ policy, exception, onClose }: Omit<Props, "isOpen">) {
  const trpc = useTRPC();
  const { timeZone } = useRegion();
  const [person, setPerson] = useState<SubjectView | null>(null);
  const [effect, setEffect] = useState<Exception["effect"]>(exception?.effect ?? "grant");
  const [reason, setReason] = useState(exception?.reason ?? "");
  const first = exception?.until ? lastDayOf(exception.until, timeZone) : "";
  const [day, setDay] = useState(first);
  const action = useAction(trpc.policies.putException.mutationOptions(), {
    done: exception ? "Saved" : "Exception added",
    onDone: onClose,
  });
  const subjectId = exception?.subjectId ?? person?.id;
  // An end within a day keeps its time if the day is unchanged.
  const until = day === first ? (exception?.until ?? null) : day ? endOfDay(day, timeZone).toISOString() : null;
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ subjectId, effect, reason, day }}
      onSubmit={() => subjectId && action.run({ id: policy.id, subjectId, effect, reason, until })}
    >
      {!exception && (
        <SubjectPicker
          value={person}
          onChange={setPerson}
          isRequired
          description="Active people only: a policy never gives inactive people a credential."
        />
      )}
      {!exception && person && <Today policy={policy} person={person} />}
      <Choice
        label="This person"
        name="effect"
        value={effect}
        onChange={(next: Exception["effect"]) => setEffect(next)}
        options={effectOptions(policy)}
      />
      <TextInput
        label="Reason"
        name="reason"
        value={reason}
        onChange={setReason}
        isRequired
        description="Why. Only your organisation sees it."
      />
      <DateInput
        label="Valid through"
        name="until"
        value={day}
        onChange={setDay}
        description={`The last day on which it counts, in the time zone ${timeZone}. Leave it empty for no end.`}
      />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!subjectId || !reason.trim()}>
          {exception ? "Save" : "Add exception"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

/** Says what the policy does for the chosen person today, and that an existing exception would be replaced. */
function Today({ policy, person }: { policy: Policy; person: SubjectView }) {
  const trpc = useTRPC();
  const region = useRegion();
  const { data } = useQuery(trpc.policies.explain.queryOptions({ id: policy.id, subjectId: person.id }));
  if (!data) return null;
  if (!data.exception) return <Notice title="Today">{verdictOf(data, policy, region)}</Notice>;
  return (
    <Notice tone="warning" title="This person has an exception already">
      It {data.exception.effect === "grant" ? "grants" : "denies"} the credential: “{data.exception.reason}”. What you
      add here takes its place.
    </Notice>
  );
}
