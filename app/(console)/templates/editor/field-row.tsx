"use client";
import { Button, Input, Switch, TextField } from "@heroui/react";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { Choice } from "@/components/ui/choice";
import { evidenceBinding, photoBinding } from "@/server/templates/binding";
import type { DesignField } from "@/server/templates/design";
import { inLocale } from "@/server/templates/fields";
import { needsPath, readSource, sources, withSource, type Source } from "./bindings";

const formats = [
  { value: "text", label: "As it is" },
  { value: "uppercase", label: "UPPER CASE" },
  { value: "date", label: "Date" },
  { value: "datetime", label: "Date and time" },
  { value: "number", label: "Number" },
] as const;

const photos = [
  { value: "any", label: "Any photo" },
  { value: "approved", label: "Approved ones", description: "Somebody looks at each photo first, under People." },
] as const;

interface Props {
  field: DesignField;
  isPublic: boolean;
  /** False for a field that shows the name, where the design keeps that from the public. */
  canBePublic: boolean;
  takesPhoto: boolean;
  /** Only academic credentials have evidence. */
  takesEvidence: boolean;
  /** Whether a photo is shown only once somebody approved it. */
  photoApproval: boolean;
  onPhotoApproval(isAsked: boolean): void;
  onChange(field: DesignField): void;
  onPublic(isPublic: boolean): void;
  /** Up is -1, down is 1. Absent where it cannot go there. */
  onMove: { up?: () => void; down?: () => void };
  onRemove(): void;
}

/** One field of a card: what it is called, what it shows, how it is written, and who may see it. */
export function FieldRow({
  field,
  isPublic,
  canBePublic,
  takesPhoto,
  takesEvidence,
  photoApproval,
  onPhotoApproval,
  onChange,
  onPublic,
  onMove,
  onRemove,
}: Props) {
  const { source, detail } = readSource(field);
  const name = inLocale(field.label ?? field.key, "en");
  const several = typeof field.label === "object";
  const pick = (next: Source) =>
    onChange({
      ...withSource(field, next, needsPath(next) ? detail || "name" : detail),
      format: dateLike(next) ? "date" : next === photoBinding || next === evidenceBinding ? undefined : field.format,
      ...(next === photoBinding && source === "attributes" && { label: "Photo" }),
      ...(next === evidenceBinding && source === "attributes" && { label: "Evidence" }),
    });
  return (
    <li className="rounded-lg border bg-surface-secondary p-3">
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
        <TextField
          aria-label="Label"
          value={name}
          onChange={(label) => onChange({ ...field, label })}
          isDisabled={several}
          fullWidth
        >
          <Input placeholder="Label" className="h-8 py-0" />
        </TextField>
        <Choice<Source>
          label={`What ${name} shows`}
          compact
          value={source}
          onChange={pick}
          options={sources.filter(
            ({ value }) =>
              (takesPhoto || value !== photoBinding) &&
              (takesEvidence || value !== evidenceBinding || source === evidenceBinding),
          )}
        />
        {(needsPath(source) || source === "text") && (
          <TextField
            aria-label={source === "text" ? "Text" : "Path"}
            value={detail}
            onChange={(next) => onChange(withSource(field, source, next))}
            fullWidth
          >
            <Input
              placeholder={source === "text" ? "Text" : "department or address.city"}
              className={`h-8 py-0 ${source === "text" ? "" : "font-mono text-xs!"}`}
            />
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
      </div>
      <div className="mt-2 flex items-center gap-1">
        <Switch size="sm" isSelected={isPublic} isDisabled={!canBePublic} onChange={onPublic}>
          <Switch.Content>
            <Switch.Control>
              <Switch.Thumb />
            </Switch.Control>
            <span className="text-xs text-muted">Anyone may see it</span>
          </Switch.Content>
        </Switch>
        <span className="ms-auto flex">
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
      {several && (
        <p className="mt-1 text-xs text-muted">This label is written in several languages; change them by API.</p>
      )}
    </li>
  );
}

const dateLike = (source: Source) =>
  source === "credential.issuedAt" || source === "credential.validFrom" || source === "credential.expiresAt";
