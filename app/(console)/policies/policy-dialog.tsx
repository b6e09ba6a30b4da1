"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { useSession } from "../_shell/session";
import { useTemplateOptions } from "../_data/names";
import { readObject, unreadable } from "../_data/read-object";
import { RuleInput } from "../_rule/rule-input";
import { recipes, ruleOf, type Recipe } from "./recipes";
import { exitOptions, type Policy } from "./words";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The one to change; without it, a new one is made. */
  policy?: Policy;
  onDone?(policy: { id: string }): void;
}

export function PolicyDialog({ isOpen, onOpenChange, policy, onDone }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} size="lg" title={policy ? "Edit policy" : "New policy"}>
      <Reloadable>
        {(reload) => (
          <PolicyForm
            policy={policy}
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

function PolicyForm({
  policy,
  onReload,
  onDone,
}: {
  policy: Policy | undefined;
  onReload(): void;
  onDone(policy: { id: string }): void;
}) {
  const trpc = useTRPC();
  const { can } = useSession();
  const [form, setForm] = useState(policy ? asEntered(policy) : first);
  const [templateId, setTemplate] = useState<string | null>(policy?.templateId ?? null);
  const [recipe, setRecipe] = useState<Recipe>("students");
  /** The recipe that would replace a rule which the person has written. */
  const [replacing, setReplacing] = useState<Recipe | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const templates = useTemplateOptions(templateId);
  const set = (name: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [name]: value }));
  const create = useAction(trpc.policies.create.mutationOptions(), { done: "Policy created", onDone });
  const update = useAction(trpc.policies.update.mutationOptions(), { done: "Saved", onDone });
  const action = policy ? update : create;
  const { ifMatch, conflict, changes } = useBasis({
    record: policy,
    shown: (p) => asEntered(p),
    entered: form,
    onMerge: (merged) => setForm(merged),
    labels: {
      name: "Name",
      rule: "Rule",
      onExit: "When somebody leaves",
      graceDays: "Days of grace",
      cron: "Schedule",
      percent: "Percent",
      count: "Credentials",
    },
    action: update,
    reload: onReload,
  });
  const hasRule = !policy || policy.rule !== null;

  const submit = () => {
    try {
      const rule = hasRule ? readObject(form.rule).value : null;
      setRefusal(null);
      save(rule);
    } catch (error) {
      setRefusal(unreadable("rule", error));
    }
  };
  const save = (rule: Record<string, unknown> | null) => {
    const fields = {
      name: form.name,
      onExit: form.onExit as Policy["onExit"],
      graceDays: numberIn(form.graceDays),
      blastRadius: { percent: numberIn(form.percent), count: numberIn(form.count) },
      schedule: scheduleOf(form.cron, policy),
      ...(rule && { rule }),
    };
    if (!policy) return create.run({ ...fields, templateId: templateId! });
    const changed = changes(form);
    const { percent, count, cron, ...same } = changed;
    update.run({
      id: policy.id,
      ifMatch,
      ...(Object.fromEntries(Object.keys(same).map((name) => [name, fields[name as keyof typeof fields]])) as object),
      ...((percent ?? count) !== undefined && { blastRadius: fields.blastRadius }),
      ...(cron !== undefined && { schedule: fields.schedule }),
    });
  };
  return (
    <ProblemForm
      problem={refusal ?? action.problem}
      isPending={action.isPending}
      entered={{ ...form, templateId }}
      onSubmit={submit}
      conflict={conflict}
    >
      <TextInput label="Name" name="name" value={form.name} onChange={set("name")} isRequired autoFocus />
      {!policy && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Choice
            label="Template"
            name="templateId"
            value={templateId}
            onChange={(next: string) => setTemplate(next)}
            options={templates}
          />
          <Choice
            label="Begin from"
            value={recipe}
            onChange={(next: Recipe) => {
              setRecipe(next);
              if (form.rule === ruleOf(recipe)) set("rule")(ruleOf(next));
              else setReplacing(next);
            }}
            options={recipes}
          />
        </div>
      )}
      {replacing && (
        <Notice
          tone="warning"
          title="You have changed the rule"
          action={
            <div className="flex gap-2">
              <Button size="sm" variant="outline" onPress={() => setReplacing(null)}>
                Keep mine
              </Button>
              <Button
                size="sm"
                onPress={() => {
                  set("rule")(ruleOf(replacing));
                  setReplacing(null);
                }}
              >
                Replace it
              </Button>
            </div>
          }
        >
          Another beginning replaces what you chose.
        </Notice>
      )}
      {hasRule && <RuleInput value={form.rule} onChange={set("rule")} onlyActive />}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Choice
          label="When somebody leaves"
          name="onExit"
          value={form.onExit as Policy["onExit"]}
          onChange={set("onExit")}
          options={exitOptions}
        />
        <TextInput
          label="Days of grace"
          name="graceDays"
          type="number"
          value={form.graceDays}
          onChange={set("graceDays")}
          description="Days that pass before that."
          isRequired
        />
        <TextInput
          label="Percent"
          name="blastRadius/percent"
          type="number"
          value={form.percent}
          onChange={set("percent")}
          description="Of its holders, that it may end within 24 hours by itself."
        />
        <TextInput
          label="Credentials"
          name="blastRadius/count"
          type="number"
          value={form.count}
          onChange={set("count")}
          description="That it may end at most, if that is less. Up to 5 always."
        />
      </div>
      {policy && !can("policies:approve") && (
        <Notice>You can lower these two limits. Raising one takes the scope policies:approve.</Notice>
      )}
      <TextInput
        label="Schedule"
        name="schedule/cron"
        value={form.cron}
        onChange={set("cron")}
        mono
        description="A cron: 0 5 * * * is every day at 05:00. Empty: only when you apply it."
      />
      {!policy && <Notice>Nothing is issued yet: next, you see whom it means.</Notice>}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!form.name.trim() || !templateId}>
          {policy ? "Save" : "Create policy"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

const first = {
  name: "",
  rule: ruleOf("students"),
  onExit: "suspend",
  graceDays: "0",
  percent: "10",
  count: "500",
  cron: "0 5 * * *",
};

/** An empty field is no number: the service refuses it in words. */
const numberIn = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** The policy as it stands in the form. */
function asEntered({ name, rule, onExit, graceDays, blastRadius, schedule }: Policy): typeof first {
  return {
    name,
    rule: rule ? JSON.stringify(rule, null, 2) : "",
    onExit,
    graceDays: String(graceDays),
    percent: String(blastRadius.percent),
    count: String(blastRadius.count),
    cron: schedule?.cron ?? "",
  };
}

/** A schedule keeps its time zone; a new one has that of the organisation. */
function scheduleOf(cron: string, policy: Policy | undefined) {
  if (!cron.trim()) return null;
  const timeZone = policy?.schedule?.timeZone;
  return { cron: cron.trim(), ...(timeZone && { timeZone }) };
}
