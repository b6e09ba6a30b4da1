"use client";
import { Button } from "@heroui/react";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput, TextInputArea } from "@/components/ui/fields";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { readObject, tryRead, unreadable } from "../_data/read-object";
import type { SubjectView } from "@/server/subjects/view";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The subject to change. Without it, a new subject is created. */
  subject?: SubjectView & { etag: string; sources: { id: string | null; missingSince: string | null }[] };
  onDone?(subject: SubjectView): void;
}

export function SubjectDialog({ isOpen, onOpenChange, subject, onDone }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      size="lg"
      title={subject ? "Edit person" : "Add a person"}
      description={
        subject
          ? undefined
          : "Your own id for them, such as a student number, ties the person here to the one in your system."
      }
    >
      <Reloadable>
        {(reload) => (
          <SubjectForm
            subject={subject}
            onReload={reload}
            onDone={(made) => {
              onOpenChange(false);
              onDone?.(made);
            }}
          />
        )}
      </Reloadable>
    </Dialog>
  );
}

function SubjectForm({
  subject,
  onReload,
  onDone,
}: {
  subject: Props["subject"] | undefined;
  onReload(): void;
  onDone(subject: SubjectView): void;
}) {
  const trpc = useTRPC();
  const [form, setForm] = useState(
    subject ? asTyped(partOf(subject)) : { externalId: "", displayName: "", email: "", attributes: "" },
  );
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const set = (name: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [name]: value }));
  const create = useAction(trpc.subjects.upsert.mutationOptions(), {
    done: "Person added",
    onDone: (made) => onDone(made.subject),
  });
  const update = useAction(trpc.subjects.update.mutationOptions(), { done: "Saved", onDone });
  const action = subject ? update : create;
  const readable = useMemo(() => tryRead(form.attributes), [form.attributes]);
  const { ifMatch, conflict, changes } = useBasis({
    record: subject,
    shown: (person) => partOf(person),
    entered: readable && { ...form, attributes: readable },
    onMerge: (merged) => setForm(asTyped(merged)),
    labels: { externalId: "Your id", displayName: "Name", email: "E-mail", attributes: "Attributes" },
    action: update,
    reload: onReload,
  });

  const submit = () => {
    try {
      const entered = { ...form, attributes: readObject(form.attributes).value };
      setRefusal(null);
      const replace = { attributesMode: "replace" as const };
      if (!subject) return create.run({ ...entered, ...replace, ifExists: "fail" });
      const changed = changes(entered);
      update.run({ id: subject.id, ifMatch, ...changed, ...(changed.attributes && replace) });
    } catch (error) {
      setRefusal(unreadable("attributes", error));
    }
  };
  const taken = create.problem?.code === "external_id_taken" ? create.problem.members?.["subjectId"] : undefined;
  return (
    <ProblemForm
      problem={refusal ?? (taken ? null : action.problem)}
      isPending={action.isPending}
      entered={form}
      onSubmit={submit}
      conflict={conflict}
    >
      {subject?.sources.some(({ id, missingSince }) => id !== null && missingSince === null) && (
        <Notice title="This person comes from a connector">
          The connector&#39;s next file or request overwrites the fields that it provides. Change those at their source
          too.
        </Notice>
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextInput label="Name" name="displayName" value={form.displayName} onChange={set("displayName")} autoFocus />
        <TextInput
          label="Your id"
          name="externalId"
          value={form.externalId}
          onChange={set("externalId")}
          mono
          isRequired
          description="Such as a student or staff number. The API calls it externalId."
        />
      </div>
      {/* With type "email", browsers rewrite an international domain and refuse non-ASCII letters before the @. */}
      <TextInput label="E-mail" name="email" inputMode="email" value={form.email} onChange={set("email")} />
      <TextInputArea
        label="Attributes"
        name="attributes"
        value={form.attributes}
        onChange={set("attributes")}
        mono
        rows={6}
        placeholder={'{\n  "department": "Physics"\n}'}
        description="JSON. Only what a template shows: credentials are public, so no government ids, health data, salaries or notes."
      />
      {typeof taken === "string" && (
        <Notice
          tone="warning"
          title="Somebody has this id already"
          action={
            <Link href={`/subjects/${taken}`} target="_blank" className="font-medium underline">
              See who it is
            </Link>
          }
        >
          Nobody was created and nothing was changed. Edit the person who is there, or enter another id.
        </Notice>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!form.externalId.trim()}>
          {subject ? "Save" : "Add person"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

/** The fields of a person that the form changes. */
function partOf({ externalId, displayName, email, attributes }: SubjectView) {
  return { externalId, displayName, email: email ?? "", attributes };
}

function asTyped({ attributes, ...texts }: ReturnType<typeof partOf>) {
  return { ...texts, attributes: Object.keys(attributes).length > 0 ? JSON.stringify(attributes, null, 2) : "" };
}
