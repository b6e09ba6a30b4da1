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
  template: { id: string; name: string; slug: string; etag: string };
}

export function RenameDialog({ isOpen, onOpenChange, template }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Rename template"
      description="The name on cards and public pages changes at once, also of credentials that were issued already."
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
  const action = useAction(trpc.templates.update.mutationOptions(), { done: "Template renamed", onDone: onClose });
  const { ifMatch, conflict, changes } = useBasis({
    record: template,
    shown: (t) => ({ name: t.name, slug: t.slug }),
    entered: { name, slug },
    onMerge(merged) {
      setName(merged.name);
      setSlug(merged.slug);
    },
    labels: { name: "Name", slug: "Short name" },
    action,
    reload: onReload,
  });
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={{ name, slug }}
      onSubmit={() => action.run({ id: template.id, ifMatch, ...changes({ name, slug }) })}
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
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!name.trim() || !slug.trim()}>
          Save
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
