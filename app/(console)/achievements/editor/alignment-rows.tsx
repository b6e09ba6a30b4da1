"use client";
import { Button } from "@heroui/react";
import { Plus, Trash2 } from "lucide-react";
import { TextInput } from "@/components/ui/fields";
import type { EnteredAlignment } from "./entered";

const first: EnteredAlignment = { targetName: "", targetUrl: "", targetFramework: "", targetCode: "", rest: {} };

interface Props {
  rows: EnteredAlignment[];
  onChange(rows: EnteredAlignment[]): void;
}

/** Edits the alignments of an achievement to external frameworks. */
export function AlignmentRows({ rows, onChange }: Props) {
  return (
    <div className="space-y-3">
      {rows.map((row, i) => {
        const text = (name: Exclude<keyof EnteredAlignment, "rest">) => ({
          name: `alignments/${i}/${name}`,
          value: row[name],
          onChange: (value: string) => onChange(rows.with(i, { ...row, [name]: value })),
        });
        return (
          <fieldset key={i} className="rounded-lg border bg-surface-secondary p-3">
            <legend className="sr-only">Framework {i + 1}</legend>
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
              <TextInput
                {...text("targetName")}
                label="What it corresponds to"
                placeholder="Master’s degree"
                isRequired
              />
              <TextInput {...text("targetUrl")} label="Its page" inputMode="url" placeholder="https://" isRequired />
              <TextInput {...text("targetFramework")} label="Framework" placeholder="EQF" />
              <TextInput {...text("targetCode")} label="Its code there" placeholder="7" />
            </div>
            <div className="mt-2 flex justify-end">
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Remove framework ${i + 1}`}
                onPress={() => onChange(rows.filter((_, at) => at !== i))}
              >
                <Trash2 aria-hidden="true" /> Remove
              </Button>
            </div>
          </fieldset>
        );
      })}
      <Button variant="outline" size="sm" isDisabled={rows.length >= 20} onPress={() => onChange([...rows, first])}>
        <Plus aria-hidden="true" /> Add framework
      </Button>
    </div>
  );
}
