"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { looseFields, shownInFlow } from "@/components/card/rows";
import { useTRPC } from "@/components/trpc/client";
import { photoBinding } from "@/server/templates/binding";
import { fieldsOf, nameFieldsOf, namesHolder, type Design, type DesignField } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";
import { useSession } from "../../_shell/session";
import { freshField, lacksStatedFields, withStatedFields, type StatedField } from "./bindings";
import { FieldRow } from "./field-row";
import { LanguageNote } from "./localized-input";
import { PublicPanel } from "./public-panel";
import type { Side } from "./side-switch";

interface Props {
  kind: TemplateKind;
  design: Design;
  /** What the achievement of an academic template lets its credentials state. */
  stated: readonly StatedField[];
  /** The side whose fields are shown. */
  side: Side;
  /** The value of a field for the person of the preview, in words; null without a person. */
  saysOf(key: string): string | null;
  onChange(design: Design): void;
}

/** The fields on a side of a card, in their order. */
export function FieldList({ kind, design, stated, side, saysOf, onChange }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data: known } = useQuery(
    trpc.subjects.attributeNames.queryOptions({}, { enabled: can("subjects:read"), staleTime: 60_000 }),
  );
  const fields = design[side]?.fields ?? [];
  const all = fieldsOf(design);
  const isPublic = (key: string) => design.publicFields?.includes(key) ?? false;
  const write = (next: DesignField[]) => onChange(consistent({ ...design, [side]: { ...design[side], fields: next } }));
  const publish = (key: string, on: boolean) =>
    onChange({
      ...design,
      publicFields: on ? [...(design.publicFields ?? []), key] : design.publicFields?.filter((each) => each !== key),
    });
  const remove = (key: string) =>
    onChange({
      ...design,
      [side]: { ...design[side], fields: fields.filter((each) => each.key !== key) },
      publicFields: design.publicFields?.filter((each) => each !== key),
    });
  const other = side === "front" ? "back" : "front";
  const turn = ({ position: _, width: __, ...field }: DesignField) =>
    onChange({
      ...design,
      [side]: { ...design[side], fields: fields.filter(({ key }) => key !== field.key) },
      [other]: { ...design[other], fields: [...(design[other]?.fields ?? []), field] },
    });
  const names = nameFieldsOf(design).map(({ key }) => key);
  const publishName = (on: boolean) => onChange(consistent({ ...design, publicName: on ? undefined : false }));
  return (
    <div>
      <PublicPanel
        design={design}
        onName={publishName}
        onSearchable={(on) => onChange({ ...design, searchable: on || undefined })}
      />
      {fields.some(({ label, text }) => typeof label === "object" || typeof text === "object") && (
        <div className="mb-3">
          <LanguageNote />
        </div>
      )}
      <ul className="space-y-2">
        {fields.map((field, i) => (
          <FieldRow
            key={field.key}
            field={field}
            side={side}
            says={saysOf(field.key)}
            isPublic={isPublic(field.key)}
            canBePublic={namesHolder(design) || !names.includes(field.key)}
            // A certificate has no place for a photo. A card has one on its front.
            takesPhoto={
              kind !== "academic" &&
              side === "front" &&
              !all.some((each) => each.key !== field.key && each.binding === photoBinding)
            }
            takesEvidence={kind === "academic"}
            stated={stated}
            photoApproval={design.photoApproval ?? false}
            onPhotoApproval={(photoApproval) => onChange({ ...design, photoApproval })}
            onChange={(next) => write(fields.with(i, next))}
            onPublic={(on) => publish(field.key, on)}
            onMove={{
              ...(i > 0 && { up: () => write(swap(fields, i, i - 1)) }),
              ...(i < fields.length - 1 && { down: () => write(swap(fields, i, i + 1)) }),
            }}
            onTurn={field.binding === photoBinding ? undefined : () => turn(field)}
            onRemove={() => remove(field.key)}
          />
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          variant="outline"
          size="sm"
          onPress={() => write([...fields, freshField(all, known ?? [])])}
          isDisabled={fields.length >= 40}
        >
          <Plus aria-hidden="true" /> Add field
        </Button>
        {stated.length > 0 && (
          <Button
            variant="outline"
            size="sm"
            onPress={() => onChange(withStatedFields(design, stated, side))}
            isDisabled={!lacksStatedFields(design, stated) || fields.length + stated.length > 40}
          >
            <Plus aria-hidden="true" /> Show results and credits
          </Button>
        )}
        <p className="min-w-0 flex-1 basis-48 text-xs text-pretty text-muted">{roomWords(fields, side)}</p>
      </div>
    </div>
  );
}

/** How many fields a side has room for, in words. */
function roomWords(fields: DesignField[], side: Side): string {
  const flowing = fields.filter(({ position, binding }) => !position && binding !== photoBinding);
  const left = flowing.length - shownInFlow(flowing, side).length;
  if (left > 0)
    return `If all fields have a value, the last ${left === 1 ? "one does" : `${left} do`} not fit on the card. Make fields narrower, or move some to the other side. The list below the card shows all that are public.`;
  if (side === "front")
    return `The holder's name is always on the card. Of the fields without a width or place, it shows the first ${looseFields} that have a value.`;
  return fields.length === 0
    ? "A back without fields and picture is not shown. Use it for text that is long or the same on every card: an address, rules, a telephone number."
    : "Below the fields are the issuer and the name of the template.";
}

/** Removes the fields that show the name from the public ones if the design hides the name from the public. */
function consistent(design: Design): Design {
  if (namesHolder(design)) return design;
  const names = nameFieldsOf(design).map(({ key }) => key);
  return { ...design, publicFields: design.publicFields?.filter((key) => !names.includes(key)) };
}

function swap<T>(list: T[], a: number, b: number): T[] {
  return list.with(a, list[b]!).with(b, list[a]!);
}
