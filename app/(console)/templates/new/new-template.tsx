"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { missingFields } from "@/components/missing-fields";
import type { Problem } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { ProblemForm, SendButton, TextInput } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import type { TemplateKind } from "@/server/templates/view";
import type { Validity } from "@/server/templates/validity";
import { DesignForm } from "../editor/design-form";
import type { Draft } from "../editor/draft";
import { kindOptions } from "../kinds";
import { ConfirmNameInput } from "../confirm-name-input";
import { RepeatableInput } from "../repeatable-input";

const trail = [{ label: "Templates", href: "/templates" }];

const year: Validity = { type: "duration", amount: 1, unit: "years" };
const never: Validity = { type: "none" };
const usualValidity = (kind: TemplateKind) => (kind === "academic" ? never : year);

const first: Draft = {
  design: {
    front: {
      fields: [
        { key: "number", label: "Number", binding: "subject.externalId" },
        { key: "validUntil", label: "Valid through", binding: "credential.expiresAt", format: "date" },
      ],
    },
    publicFields: ["validUntil"],
  },
  validity: year,
  achievementId: null,
};

export function NewTemplate() {
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState("");
  const [kind, setKind] = useState<TemplateKind>("membership");
  const [repeatable, setRepeatable] = useState(false);
  const [confirmName, setConfirmName] = useState(false);
  const [draft, setDraft] = useState(first);
  /** Degrees do not expire. A validity that the reader has chosen stays when the kind changes. */
  const chooseKind = (next: TemplateKind) => {
    setKind(next);
    setDraft((now) => (now.validity === usualValidity(kind) ? { ...now, validity: usualValidity(next) } : now));
  };
  const create = useAction(trpc.templates.create.mutationOptions(), {
    done: (made) => (made.status === "published" ? "Template published" : "Draft saved"),
    onDone: (made) => router.replace(`/templates/${made.id}`),
  });
  const [missing, setMissing] = useState<Problem | null>(null);
  const save = (publish: boolean) => {
    const found = missingFields({ name });
    setMissing(found);
    if (!found && !create.isPending && !create.isDone)
      create.run({
        name,
        kind,
        repeatable,
        confirmName,
        ...draft,
        ...(kind !== "academic" && { achievementId: null }),
        publish,
      });
  };
  return (
    <ProblemForm
      problem={missing ?? create.problem}
      isPending={create.isPending}
      entered={{ name, kind, repeatable, confirmName, draft }}
      onSubmit={() => save(false)}
    >
      <PageHeader
        trail={trail}
        title="New template"
        actions={
          <>
            <Button type="submit" variant="outline" isDisabled={create.isDone}>
              Save draft
            </Button>
            <SendButton isDisabled={create.isDone} isPending={create.isPending} onSend={() => save(true)}>
              Publish
            </SendButton>
          </>
        }
      />
      <Panel title="Basics" className="mb-5">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextInput
            label="Name"
            name="name"
            value={name}
            onChange={setName}
            placeholder="Student ID"
            isRequired
            autoFocus
            description="Shown on the credential and to everyone who verifies it."
          />
          <Choice<TemplateKind>
            label="Kind"
            name="kind"
            value={kind}
            onChange={chooseKind}
            options={kindOptions}
            description="It cannot be changed later."
          />
        </div>
        <div className="mt-4">
          <RepeatableInput value={repeatable} onChange={setRepeatable} />
          <ConfirmNameInput value={confirmName} onChange={setConfirmName} />
        </div>
      </Panel>
      <DesignForm kind={kind} title={name} draft={draft} onChange={setDraft} />
    </ProblemForm>
  );
}
