"use client";
import { Button, Input, TextField } from "@heroui/react";
import { X } from "lucide-react";
import { Choice } from "@/components/ui/choice";
import type { DesignField } from "@/server/templates/design";

type Width = NonNullable<DesignField["width"]>;
type Position = NonNullable<DesignField["position"]>;

interface Props {
  /** The label of the field. */
  name: string;
  field: DesignField;
  side: "front" | "back";
  onChange(field: DesignField): void;
}

const widths = [
  { value: "quarter", label: "A quarter of the row" },
  { value: "third", label: "A third of the row" },
  { value: "half", label: "Half a row" },
  { value: "full", label: "A whole row" },
] as const;

const measures = [
  ["column", "Column", 12],
  ["row", "Row", 24],
  ["columns", "Wide", 12],
  ["rows", "High", 24],
] as const;

/** Where a field stands: in the order of the fields with a width, or at a fixed place of the grid. */
export function PlaceInput({ name, field, side, onChange }: Props) {
  const { position, width: _, ...rest } = field;
  const choose = (next: Width | "usual" | "fixed") => {
    if (next === "fixed") onChange({ ...rest, position: { column: 1, row: 1, columns: 6, rows: 4 } });
    else onChange(next === "usual" ? rest : { ...rest, width: next });
  };
  return (
    <div className={position ? "space-y-2 sm:col-span-2" : ""}>
      <Choice<Width | "usual" | "fixed">
        label={`Where ${name} stands`}
        compact
        value={position ? "fixed" : (field.width ?? "usual")}
        onChange={choose}
        options={[
          { value: "usual", label: side === "front" ? "In order, as wide as its text" : "In order, half a row" },
          ...widths.filter(({ value }) => side === "front" || value !== "half"),
          { value: "fixed", label: "At a fixed place" },
        ]}
      />
      {position && (
        <div role="group" aria-label={`Place of ${name}`} className="flex flex-wrap items-end gap-2">
          {measures.map(([part, label, most]) => (
            <Measure
              key={part}
              label={label}
              most={most}
              value={position[part]}
              onChange={(value) => onChange({ ...rest, position: { ...position, [part]: value } as Position })}
            />
          ))}
          <Button variant="ghost" size="sm" onPress={() => onChange(rest)}>
            <X aria-hidden="true" /> Back in order
          </Button>
          <p className="basis-full text-xs text-muted">
            On a grid of 12 columns and 24 rows, counted from the top left. If it covers something else, move it.
          </p>
        </div>
      )}
    </div>
  );
}

interface MeasureProps {
  label: string;
  most: number;
  value: number | undefined;
  onChange(value: number): void;
}

function Measure({ label, most, value, onChange }: MeasureProps) {
  const read = (text: string) => {
    const number = Number.parseInt(text, 10);
    if (number >= 1 && number <= most) onChange(number);
  };
  return (
    <label className="text-xs text-muted">
      {label}
      <TextField aria-label={label} type="number" value={value === undefined ? "" : String(value)} onChange={read}>
        <Input type="number" min={1} max={most} className="h-8 w-16 py-0" />
      </TextField>
    </label>
  );
}
