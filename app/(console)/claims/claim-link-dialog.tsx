"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";
import { useRegion } from "@/components/ui/region";
import type { ClaimLinkView } from "@/server/claims/view";
import { endOfDay, lastDayOf } from "@/server/core/dates";
import { useTemplateOptions } from "../_data/names";
import { approvalChoices, fieldChoices } from "./words";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The link to change. Without it, the dialog creates a new one. */
  link?: ClaimLinkView & { etag: string };
  onDone?(link: ClaimLinkView): void;
}

export function ClaimLinkDialog({ isOpen, onOpenChange, link, onDone }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={link ? "Edit claim link" : "Create a claim link"}>
      <Reloadable>
        {(reload) => (
          <ClaimLinkForm
            link={link}
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

function ClaimLinkForm({
  link,
  onReload,
  onDone,
}: {
  link: Props["link"];
  onReload(): void;
  onDone(link: ClaimLinkView): void;
}) {
  const trpc = useTRPC();
  const { timeZone } = useRegion();
  const shown = (l: ClaimLinkView) => asEntered(l, timeZone);
  const [form, setForm] = useState(link ? shown(link) : empty);
  const templates = useTemplateOptions(form.templateId || null);
  const set = (name: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [name]: value }));
  const create = useAction(trpc.claims.links.create.mutationOptions(), { done: "Claim link created", onDone });
  const update = useAction(trpc.claims.links.update.mutationOptions(), { done: "Saved", onDone });
  const action = link ? update : create;
  const { ifMatch, conflict, changes } = useBasis({
    record: link,
    shown: (l) => asEntered(l, timeZone),
    entered: form,
    onMerge: (merged) => setForm(merged),
    labels: {
      templateId: "Template",
      name: "Name",
      maxClaims: "How many",
      lastDay: "Last day",
      approval: "Handed out",
      fields: "People enter",
    },
    action: update,
    reload: onReload,
  });
  const submit = () => {
    if (!link) return create.run({ templateId: form.templateId, name: form.name, ...sent(form, timeZone) });
    const { name, templateId: _, ...changed } = changes(form);
    update.run({ id: link.id, ifMatch, ...(name !== undefined && { name }), ...sent(changed, timeZone) });
  };
  const isCount = form.maxClaims === "" || /^[1-9]\d{0,6}$/.test(form.maxClaims);
  return (
    <ProblemForm
      problem={action.problem}
      isPending={action.isPending}
      entered={form}
      onSubmit={submit}
      conflict={conflict}
    >
      {!link && (
        <Choice
          label="Template"
          name="templateId"
          value={form.templateId || null}
          onChange={set("templateId")}
          options={templates}
          placeholder="Choose a template"
          isRequired
        />
      )}
      <TextInput
        label="Name"
        name="name"
        value={form.name}
        onChange={set("name")}
        description="For you, such as “Open day 2026”. People do not see it."
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextInput
          label="How many can claim"
          name="maxClaims"
          value={form.maxClaims}
          onChange={set("maxClaims")}
          inputMode="numeric"
          description="Leave it empty for no limit."
        />
        <DateInput
          label="Last day"
          name="expiresAt"
          value={form.lastDay}
          onChange={set("lastDay")}
          description="Leave it empty for no end."
        />
      </div>
      <Choice
        label="Handed out"
        name="approval"
        value={form.approval}
        onChange={set("approval")}
        options={approvalChoices}
      />
      <Choice
        label="People enter"
        name="fields"
        value={form.fields}
        onChange={set("fields")}
        options={form.fields === "own" ? [...fieldChoices, { value: "own", label: "What the API set" }] : fieldChoices}
      />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!form.templateId || !isCount}>
          {link ? "Save" : "Create claim link"}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

const empty = { templateId: "", name: "", maxClaims: "", lastDay: "", approval: "no", fields: "design" };
type Form = typeof empty;

/** Converts a link to the values of the form. */
function asEntered(
  { templateId, name, maxClaims, expiresAt, approval, fields }: ClaimLinkView,
  timeZone: string,
): Form {
  return {
    templateId,
    name,
    maxClaims: maxClaims === null ? "" : String(maxClaims),
    lastDay: expiresAt === null ? "" : lastDayOf(expiresAt, timeZone),
    approval: approval ? "yes" : "no",
    fields: fields === null ? "design" : fields.length === 0 ? "name" : "own",
  };
}

/** Converts the form's choice of fields to the input of the API. */
function sent({ maxClaims, lastDay, approval, fields }: Partial<Form>, timeZone: string) {
  return {
    ...(maxClaims !== undefined && { maxClaims: maxClaims === "" ? null : Number(maxClaims) }),
    ...(lastDay !== undefined && { expiresAt: lastDay === "" ? null : endOfDay(lastDay, timeZone).toISOString() }),
    ...(approval !== undefined && { approval: approval === "yes" }),
    ...(fields !== undefined && fields !== "own" && { fields: fields === "design" ? null : [] }),
  };
}
