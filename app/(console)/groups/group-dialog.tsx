"use client";
import { Button } from "@heroui/react";
import { useMemo, useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { GroupKind, GroupView } from "@/server/groups/view";
import { readObject, unreadable } from "../_data/read-object";
import { kindOptions } from "./kinds";
import { apartFromRule } from "../_rule/rule-errors";
import { firstRule, RuleInput } from "../_rule/rule-input";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The group to change. Without it, a new group is created. */
  group?: GroupView & { etag: string };
  onDone?(group: GroupView): void;
}

export function GroupDialog({ isOpen, onOpenChange, group, onDone }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} size="lg" title={group ? "Edit group" : "Create a group"}>
      <Reloadable>
        {(reload) => (
          <GroupForm
            group={group}
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

function GroupForm({
  group,
  onReload,
  onDone,
}: {
  group: Props["group"] | undefined;
  onReload(): void;
  onDone(group: GroupView): void;
}) {
  const trpc = useTRPC();
  const [form, setForm] = useState(
    group ? asEntered(group) : { name: "", externalId: "", description: "", rule: firstRule },
  );
  const [kind, setKind] = useState<GroupKind>(group?.kind ?? "static");
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const set = (name: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [name]: value }));
  const create = useAction(trpc.groups.create.mutationOptions(), { done: "Group created", onDone });
  const update = useAction(trpc.groups.update.mutationOptions(), { done: "Saved", onDone });
  const action = group ? update : create;
  const { ifMatch, conflict, changes } = useBasis({
    record: group,
    shown: (g) => asEntered(g),
    entered: form,
    onMerge: (merged) => setForm(merged),
    labels: { name: "Name", externalId: "Your id", description: "Description", rule: "Rule" },
    action: update,
    reload: onReload,
  });

  const submit = () => {
    try {
      const rule = kind === "rule" ? readObject(form.rule).value : null;
      setRefusal(null);
      save(rule);
    } catch (error) {
      setRefusal(unreadable("rule", error));
    }
  };
  const save = (rule: Record<string, unknown> | null) => {
    if (!group) {
      const { name, externalId, description } = form;
      return create.run({ name, description, kind, ...(externalId && { externalId }), ...(rule && { rule }) });
    }
    const { externalId, rule: changed, ...fields } = changes(form);
    update.run({
      id: group.id,
      ifMatch,
      ...fields,
      ...(externalId !== undefined && { externalId: externalId || null }),
      ...(changed !== undefined && rule && { rule }),
    });
  };
  const { rest, ofRule } = useMemo(() => apartFromRule(refusal ?? action.problem), [refusal, action.problem]);
  const taken = action.problem?.code === "external_id_taken" ? action.problem.members?.["groupId"] : undefined;
  return (
    <ProblemForm
      problem={taken && !refusal ? null : rest}
      isPending={action.isPending}
      entered={{ ...form, kind }}
      onSubmit={submit}
      conflict={conflict}
    >
      <TextInput
        label="Name"
        name="name"
        value={form.name}
        onChange={set("name")}
        isRequired
        isDisabled={Boolean(group?.providedBy)}
        autoFocus={!group?.providedBy}
        {...(group?.providedBy && { description: "Changed in the directory." })}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextInput label="Description" name="description" value={form.description} onChange={set("description")} />
        <TextInput
          label="Your id"
          name="externalId"
          value={form.externalId}
          onChange={set("externalId")}
          mono
          description="Optional. The API calls it externalId."
        />
      </div>
      {!group && (
        <Choice
          label="Members"
          name="kind"
          value={kind}
          onChange={(next: GroupKind) => setKind(next)}
          options={kindOptions}
        />
      )}
      {kind === "rule" && <RuleInput refused={ofRule} value={form.rule} onChange={set("rule")} />}
      {typeof taken === "string" && (
        <Notice
          tone="warning"
          title="Another group has this id"
          action={
            <Link href={`/groups/${taken}`} target="_blank" className="font-medium underline">
              See which it is
            </Link>
          }
        >
          Nothing was saved. Enter another id, or leave it empty.
        </Notice>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!form.name.trim()}>
          {group ? "Save" : "Create group"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

/** Converts a group to the values of the form. */
function asEntered({ name, externalId, description, rule }: GroupView) {
  return { name, externalId: externalId ?? "", description, rule: rule ? JSON.stringify(rule, null, 2) : "" };
}
