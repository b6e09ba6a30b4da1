"use client";
import { Button } from "@heroui/react";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useBasis } from "@/components/console/use-basis";
import { missingFields } from "@/components/missing-fields";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { readObject, unreadable } from "../_data/read-object";
import { useTemplateOptions } from "../_data/names";
import { apartFromRule } from "../_rule/rule-errors";
import { AwardNotice } from "./award-notice";
import { asEntered, enteredLabels, fieldsToSend, firstEntered, type Entered } from "./entered";
import { LeavingFields } from "./leaving-fields";
import { LimitFields } from "./limit-fields";
import { HolderFields } from "./holder-fields";
import { RenewalFields } from "./renewal-fields";
import type { Policy } from "./words";

interface Props {
  policy: Policy | undefined;
  onReload(): void;
  onDone(policy: { id: string }): void;
}

const noGroup: Problem = {
  status: 400,
  code: "invalid_request",
  title: "No group is chosen",
  detail: "Choose the group whose members hold a credential, or choose people by a rule.",
};

const everything = Object.keys(firstEntered) as (keyof Entered)[];

/** The form of a new or existing policy. */
export function PolicyForm({ policy, onReload, onDone }: Props) {
  const trpc = useTRPC();
  const [form, setForm] = useState(policy ? asEntered(policy) : firstEntered);
  const [templateId, setTemplate] = useState<string | null>(policy?.templateId ?? null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const templates = useTemplateOptions(templateId);
  const change = (fields: Partial<Entered>) => setForm((now) => ({ ...now, ...fields }));
  const create = useAction(trpc.policies.create.mutationOptions(), { done: "Policy created", onDone });
  const update = useAction(trpc.policies.update.mutationOptions(), { done: "Saved", onDone });
  const action = policy ? update : create;
  const { ifMatch, conflict, changes } = useBasis({
    record: policy,
    shown: (p) => asEntered(p),
    entered: form,
    onMerge: (merged) => setForm(merged),
    labels: enteredLabels,
    action: update,
    reload: onReload,
  });
  const submit = () => {
    const missing = missingFields({
      name: form.name,
      ...(!policy && { templateId }),
    });
    if (missing) return setRefusal(missing);
    if (form.chosenBy === "group" && !form.groupId) return setRefusal(noGroup);
    try {
      const rule = form.chosenBy === "rule" ? readObject(form.rule).value : null;
      setRefusal(null);
      save(rule);
    } catch (error) {
      setRefusal(unreadable("rule", error));
    }
  };
  const save = (rule: Record<string, unknown> | null) => {
    const known = { rule, timeZone: policy?.schedule?.timeZone };
    if (!policy)
      return create.run({ ...fieldsToSend(form, everything, known), name: form.name, templateId: templateId! });
    const changed = Object.keys(changes(form)) as (keyof Entered)[];
    update.run({ id: policy.id, ifMatch, ...fieldsToSend(form, changed, known) });
  };
  const { rest, ofRule } = useMemo(() => apartFromRule(refusal ?? action.problem), [refusal, action.problem]);
  return (
    <ProblemForm
      problem={rest}
      isPending={action.isPending}
      entered={{ ...form, templateId }}
      onSubmit={submit}
      conflict={conflict}
    >
      <TextInput
        label="Name"
        name="name"
        value={form.name}
        onChange={(name) => change({ name })}
        isRequired
        autoFocus
      />
      {!policy && (
        <Choice
          label="Template"
          name="templateId"
          value={templateId}
          isRequired
          onChange={(next: string) => setTemplate(next)}
          options={templates}
        />
      )}
      <HolderFields form={form} onChange={change} isNew={!policy} refused={ofRule} />
      <LeavingFields form={form} onChange={change} />
      {templateId && <AwardNotice templateId={templateId} form={form} onChange={change} />}
      <RenewalFields value={form.renewal} onChange={(renewal) => change({ renewal })} />
      <LimitFields form={form} onChange={change} isNew={!policy} />
      <TextInput
        label="Schedule"
        name="schedule/cron"
        value={form.cron}
        onChange={(cron) => change({ cron })}
        mono
        description="A cron: 0 5 * * * is every day at 05:00. Empty: only when you apply it."
      />
      {!policy && (
        <Notice>
          Nothing is issued yet: next, you see who matches.
          {form.cron.trim() && " By its schedule it then runs by itself, unless you pause it."}
        </Notice>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending}>
          {policy ? "Save" : "Create policy"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
