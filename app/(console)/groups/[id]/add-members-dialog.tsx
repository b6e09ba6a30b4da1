"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInputArea } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import type { SubjectView } from "@/server/subjects/view";
import { SubjectPicker } from "../../subjects/subject-picker";
import { addedWords, othersWords } from "./added-words";
import { pastedIds } from "./pasted-ids";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  group: { id: string; name: string };
}

/** Adds one person who is searched for, or many people by their ids. */
export function AddMembersDialog({ isOpen, onOpenChange, group }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Add people" size="lg">
      <AddMembersForm group={group} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

function AddMembersForm({ group, onClose }: { group: Props["group"]; onClose(): void }) {
  const trpc = useTRPC();
  const [person, setPerson] = useState<SubjectView | null>(null);
  const [pasted, setPasted] = useState("");
  const externalIds = pastedIds(pasted);
  const action = useAction(trpc.groups.addMembers.mutationOptions(), {
    done: addedWords,
    onDone(result, { externalIds: sent = [] }) {
      if (result.failed === 0) return onClose();
      setPerson(null);
      // The ids of added people are removed from the text. The other ids stay, so that they can be corrected.
      const failed = result.errors.flatMap(({ pointer }) => /^\/externalIds\/(\d+)$/.exec(pointer)?.[1] ?? []);
      setPasted(failed.map((index) => sent[Number(index)]).join("\n"));
    },
  });
  const { output } = action;
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ person: person?.id, pasted }}
      onSubmit={() => action.run({ id: group.id, externalIds, subjectIds: person ? [person.id] : [] })}
    >
      {output && output.failed > 0 && (
        <Notice
          tone="warning"
          title={
            output.failed === 1 ? "1 id was not found" : `${output.failed.toLocaleString("en")} ids were not found`
          }
        >
          {othersWords(output)} Correct the ids below, or add these people first.
        </Notice>
      )}
      <SubjectPicker value={person} onChange={setPerson} />
      <TextInputArea
        label="Or paste your ids"
        name="externalIds"
        value={pasted}
        onChange={setPasted}
        mono
        rows={6}
        placeholder={"s-1001\ns-1002"}
        description="One a line or parted by commas, up to 10,000. Of copied columns the first one counts. The API calls them externalId."
      />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!person && externalIds.length === 0}>
          Add people
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
