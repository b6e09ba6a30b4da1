"use client";
import { Button, Switch } from "@heroui/react";
import { Plus } from "lucide-react";
import { photoBinding } from "@/server/templates/binding";
import { nameFieldsOf, namesHolder, type Design, type DesignField } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";
import { freshKey } from "./bindings";
import { FieldRow } from "./field-row";

const shown = 4;

/** The fields on the front of a card, in their order. */
export function FieldList({
  kind,
  design,
  onChange,
}: {
  kind: TemplateKind;
  design: Design;
  onChange(design: Design): void;
}) {
  const fields = design.front?.fields ?? [];
  const isPublic = (key: string) => design.publicFields?.includes(key) ?? false;
  const write = (next: DesignField[]) => onChange(consistent({ ...design, front: { ...design.front, fields: next } }));
  const publish = (key: string, on: boolean) =>
    onChange({
      ...design,
      publicFields: on ? [...(design.publicFields ?? []), key] : design.publicFields?.filter((each) => each !== key),
    });
  const remove = (key: string) =>
    onChange({
      ...design,
      front: { ...design.front, fields: fields.filter((each) => each.key !== key) },
      publicFields: design.publicFields?.filter((each) => each !== key),
    });
  const names = nameFieldsOf(design).map(({ key }) => key);
  const publishName = (on: boolean) => onChange(consistent({ ...design, publicName: on ? undefined : false }));
  const add = () =>
    write([
      ...fields,
      {
        key: freshKey([...fields, ...(design.back?.fields ?? [])].map((f) => f.key)),
        label: "Department",
        binding: "attributes.department",
      },
    ]);
  return (
    <div>
      <div className="mb-3 rounded-lg border p-3">
        <p className="text-[0.8125rem] font-medium">What the public sees</p>
        <p className="mt-0.5 text-xs text-pretty text-muted">
          Whoever has the code of a credential sees this template’s name, the issuer, whether it is valid, its dates and
          the reason of a revocation; and of the rest, what is switched on here.
        </p>
        <Switch size="sm" isSelected={namesHolder(design)} onChange={publishName} className="mt-2">
          <Switch.Content>
            <Switch.Control>
              <Switch.Thumb />
            </Switch.Control>
            <span className="text-xs text-muted">Anyone may see the holder’s name</span>
          </Switch.Content>
        </Switch>
        {!namesHolder(design) && (
          <p className="mt-2 text-xs text-pretty text-muted">
            Public pages and verifications name nobody. Whoever checks cannot compare the name with the person.
          </p>
        )}
      </div>
      <ul className="space-y-2">
        {fields.map((field, i) => (
          <FieldRow
            key={field.key}
            field={field}
            isPublic={isPublic(field.key)}
            canBePublic={namesHolder(design) || !names.includes(field.key)}
            // A certificate has no place for a photo, and a card has one.
            takesPhoto={
              kind !== "academic" && !fields.some((each) => each.key !== field.key && each.binding === photoBinding)
            }
            takesEvidence={kind === "academic"}
            photoApproval={design.photoApproval ?? false}
            onPhotoApproval={(photoApproval) => onChange({ ...design, photoApproval })}
            onChange={(next) => write(fields.with(i, next))}
            onPublic={(on) => publish(field.key, on)}
            onMove={{
              ...(i > 0 && { up: () => write(swap(fields, i, i - 1)) }),
              ...(i < fields.length - 1 && { down: () => write(swap(fields, i, i + 1)) }),
            }}
            onRemove={() => remove(field.key)}
          />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button variant="outline" size="sm" onPress={add} isDisabled={fields.length >= 40}>
          <Plus aria-hidden="true" /> Add field
        </Button>
        <p className="text-xs text-muted">
          The holder's name is always on the card. Of other fields without a place of their own it shows the first{" "}
          {shown} that have a value.
        </p>
      </div>
    </div>
  );
}

/** Takes the fields that show the name from the public ones, where the design keeps the name from the public. */
function consistent(design: Design): Design {
  if (namesHolder(design)) return design;
  const names = nameFieldsOf(design).map(({ key }) => key);
  return { ...design, publicFields: design.publicFields?.filter((key) => !names.includes(key)) };
}

function swap<T>(list: T[], a: number, b: number): T[] {
  return list.with(a, list[b]!).with(b, list[a]!);
}
