"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { ConfirmNameInput } from "../confirm-name-input";
import { RepeatableInput } from "../repeatable-input";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  template: {
    id: string;
    name: string;
    slug: string;
    repeatable: boolean;
    confirmName: boolean;
    status: string;
    etag: string;
  };
}

/**
 * Changes a template's name, short name and whether holders confirm their names. Before the first publication it also
 * changes how many of its credentials a person can hold.
 */
export function RenameDialog({ isOpen, onOpenChange, template }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Change basics"
      {...(template.status !== "draft" && {
        description:
          "The name on cards and public pages changes at once, also of credentials that were issued already.",
      })}
    >
      <Reloadable>
        {(reload) => <RenameForm template={template} onReload={reload} onClose={() => onOpenChange(false)} />}
      </Reloadable>
    </Dialog>
  );
}

function RenameForm({
  template,
  onReload,
  onClose,
}: {
  template: Props["template"];
  onReload(): void;
  onClose(): void;
}) {
  const trpc = useTRPC();
  const [name, setName] = useState(template.name);
  const [slug, setSlug] = useState(template.slug);
  const [repeatable, setRepeatable] = useState(template.repeatable);
  const [confirmName, setConfirmName] = useState(template.confirmName);
  const entered = { name, slug, repeatable, confirmName };
  const action = useAction(trpc.templates.update.mutationOptions(), {
    done: "Template changed",
    onDone: onClose,
  });
  const { ifMatch, conflict, changes } = useBasis({
    record: template,
    shown: (t) => ({ name: t.name, slug: t.slug, repeatable: t.repeatable, confirmName: t.confirmName }),
    entered,
    onMerge(merged) {
      setName(merged.name);
      setSlug(merged.slug);
      setRepeatable(merged.repeatable);
      setConfirmName(merged.confirmName);
    },
    labels: {
      name: "Name",
      slug: "Short name",
      repeatable: "Several at a time",
      confirmName: "Confirm the name first",
    },
    action,
    reload: onReload,
  });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={entered}
      onSubmit={() => action.run({ id: template.id, ifMatch, ...changes(entered) })}
      conflict={conflict}
    >
      <TextInput label="Name" name="name" value={name} onChange={setName} isRequired autoFocus />
      <TextInput
        label="Short name"
        name="slug"
        value={slug}
        onChange={setSlug}
        mono
        isRequired
        description="Unique in the organisation. The API calls it slug and finds the template by it."
      />
      {template.status === "draft" && <RepeatableInput value={repeatable} onChange={setRepeatable} />}
      <ConfirmNameInput value={confirmName} onChange={setConfirmName} />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim() || !slug.trim()}>
          Save
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
