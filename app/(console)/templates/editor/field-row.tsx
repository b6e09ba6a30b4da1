"use client";
import { Button, Input, Switch, TextField } from "@heroui/react";
import { ArrowDown, ArrowUp, FlipHorizontal2, Trash2 } from "lucide-react";
import { Choice } from "@/components/ui/choice";
import { useRegion } from "@/components/ui/region";
import { evidenceBinding, photoBinding } from "@/server/templates/binding";
import type { DesignField } from "@/server/templates/design";
import { inLocale } from "@/server/templates/fields";
import { AttributeInput } from "../../_rule/attribute-input";
import { needsPath, readSource, relabelled, sourcesWith, withSource, type Source, type StatedField } from "./bindings";
import { LocalizedInput } from "./localized-input";
import { PlaceInput } from "./place-input";

const formats = [
  { value: "text", label: "As it is" },
  { value: "uppercase", label: "UPPER CASE" },
  { value: "date", label: "Date: 19 January 2029" },
  { value: "date_short", label: "Date: 19/01/2029" },
  { value: "month", label: "Month: January 2029" },
  { value: "year", label: "Year: 2029" },
  { value: "datetime", label: "Date and time" },
  { value: "number", label: "Number" },
] as const;

const photos = [
  { value: "any", label: "Any photo" },
  { value: "approved", label: "Approved ones", description: "Somebody looks at each photo first, under People." },
] as const;

interface Props {
  field: DesignField;
  side: "front" | "back";
  /** The present value in words; null without a person in the preview. */
  says: string | null;
  isPublic: boolean;
  /** False for a field that shows the name if the design hides the name from the public. */
  canBePublic: boolean;
  takesPhoto: boolean;
  /** Only academic credentials have evidence. */
  takesEvidence: boolean;
  /** What the achievement of an academic template lets its credentials state. */
  stated: readonly StatedField[];
  /** Whether photos need an approval before they are shown. */
  photoApproval: boolean;
  onPhotoApproval(isAsked: boolean): void;
  onChange(field: DesignField): void;
  onPublic(isPublic: boolean): void;
  /** Functions that move the field; absent in a direction in which it cannot move. */
  onMove: { up?: () => void; down?: () => void };
  /** Puts the field on the other side. Absent for the photo, which belongs on the front. */
  onTurn?: (() => void) | undefined;
  onRemove(): void;
}

/** Edits one field of a card: its label, source, format, place and visibility. */
export function FieldRow({
  field,
  side,
  says,
  isPublic,
  canBePublic,
  takesPhoto,
  takesEvidence,
  stated,
  photoApproval,
  onPhotoApproval,
  onChange,
  onPublic,
  onMove,
  onTurn,
  onRemove,
}: Props) {
  const { source, detail } = readSource(field, stated);
  const { locale } = useRegion();
  const name = inLocale(field.label ?? field.key, locale) || field.key;
  const pick = (next: Source) => {
    const offered = stated.find(({ binding }) => binding === next);
    onChange({
      ...relabelled(field, withSource(field, next, needsPath(next) ? detail || "name" : detail)),
      format: dateLike(next) ? "date" : next === photoBinding || next === evidenceBinding ? undefined : field.format,
      ...(offered && { label: offered.label, format: offered.format }),
    });
  };
  const read = (path: string) => onChange(relabelled(field, withSource(field, source, path)));
  return (
    <li className="rounded-lg border bg-surface-secondary p-3">
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        <LocalizedInput name="Label" value={field.label ?? ""} onChange={(label) => onChange({ ...field, label })} />
        <Choice<Source>
          label={`What ${name} shows`}
          compact
          value={source}
          onChange={pick}
          options={sourcesWith(stated).filter(
            ({ value }) =>
              (takesPhoto || value !== photoBinding) &&
              (takesEvidence || value !== evidenceBinding || source === evidenceBinding),
          )}
        />
        {source === "text" && (
          <LocalizedInput name="Text" value={field.text ?? ""} onChange={(text) => onChange({ ...field, text })} />
        )}
        {source === "attributes" && <AttributeInput value={detail} onChange={read} />}
        {source === "credential.data" && (
          <TextField aria-label="Path" value={detail} onChange={read} fullWidth>
            <Input placeholder="grade" className="h-8 py-0 font-mono text-xs!" />
          </TextField>
        )}
        {source === photoBinding ? (
          <Choice
            label="Which photos are shown"
            compact
            value={photoApproval ? "approved" : "any"}
            onChange={(which) => onPhotoApproval(which === "approved")}
            options={photos}
          />
        ) : source === evidenceBinding ? null : (
          <Choice
            label={`How ${name} is written`}
            compact
            value={field.format ?? "text"}
            onChange={(format) => onChange({ ...field, format })}
            options={formats}
          />
        )}
        {source !== photoBinding && <PlaceInput name={name} field={field} side={side} onChange={onChange} />}
      </div>
      {says !== null && source !== "text" && source !== photoBinding && (
        <p className="mt-2 text-xs wrap-anywhere text-muted">{says}</p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-1">
        <Switch size="sm" isSelected={isPublic} isDisabled={!canBePublic} onChange={onPublic}>
          <Switch.Content>
            <Switch.Control>
              <Switch.Thumb />
            </Switch.Control>
            <span className="text-xs text-muted">Anyone may see it</span>
          </Switch.Content>
        </Switch>
        <span className="ms-auto flex">
          {onTurn && (
            <Button variant="ghost" size="sm" onPress={onTurn} className="text-xs">
              <FlipHorizontal2 aria-hidden="true" /> {side === "front" ? "To the back" : "To the front"}
            </Button>
          )}
          <Button
            variant="ghost"
            size="sm"
            isIconOnly
            aria-label={`Move ${name} up`}
            isDisabled={!onMove.up}
            onPress={onMove.up}
          >
            <ArrowUp aria-hidden="true" />
          </Button>
          <Button
            variant="ghost"
            size="sm"
            isIconOnly
            aria-label={`Move ${name} down`}
            isDisabled={!onMove.down}
            onPress={onMove.down}
          >
            <ArrowDown aria-hidden="true" />
          </Button>
          <Button variant="ghost" size="sm" isIconOnly aria-label={`Remove ${name}`} onPress={onRemove}>
            <Trash2 aria-hidden="true" />
          </Button>
        </span>
      </div>
    </li>
  );
}

const dateLike = (source: Source) =>
  source === "credential.issuedAt" || source === "credential.validFrom" || source === "credential.expiresAt";
