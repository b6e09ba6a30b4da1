"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  achievement: { id: string; name: string; etag: string };
}

export function RenameDialog({ isOpen, onOpenChange, achievement }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Rename achievement"
      description="Versions that were published keep the name that their credentials state. Drafts and later versions take the new one."
    >
      <Reloadable>
        {(reload) => <RenameForm achievement={achievement} onReload={reload} onClose={() => onOpenChange(false)} />}
      </Reloadable>
    </Dialog>
  );
}

function RenameForm({
  achievement,
  onReload,
  onClose,
}: {
  achievement: Props["achievement"];
  onReload(): void;
  onClose(): void;
}) {
  const trpc = useTRPC();
  const [name, setName] = useState(achievement.name);
  const action = useAction(trpc.achievements.update.mutationOptions(), {
    done: "Achievement renamed",
    onDone: onClose,
  });
  const { ifMatch, conflict, changes } = useBasis({
    record: achievement,
    shown: (a) => ({ name: a.name }),
    entered: { name },
    onMerge: (merged) => setName(merged.name),
    labels: { name: "Name" },
    action,
    reload: onReload,
  });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ name }}
      onSubmit={() => action.run({ id: achievement.id, ifMatch, ...changes({ name }) })}
      conflict={conflict}
    >
      <TextInput label="Name" name="name" value={name} onChange={setName} isRequired autoFocus />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim()}>
          Save
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
