"use client";
import { Button } from "@heroui/react";
import { Plus, Trash2 } from "lucide-react";
import { TextInput, TextInputArea } from "@/components/ui/fields";
import { maxEvidence, writtenEvidence, type EnteredEvidence } from "./evidence";

interface Props {
  rows: EnteredEvidence[];
  onChange(rows: EnteredEvidence[]): void;
}

/** What shows that an award was earned: a thesis, a portfolio, a transcript. */
export function EvidenceRows({ rows, onChange }: Props) {
  return (
    <fieldset>
      <legend className="text-[0.8125rem] font-semibold">Evidence</legend>
      <p className="mt-0.5 mb-3 text-xs text-pretty text-muted">
        What shows that it was earned, such as a thesis or a portfolio. It stands in the signed document.
      </p>
      <div className="space-y-3">
        {rows.map((row, i) => {
          // Empty rows are not sent, so the pointers of errors count only the rows that are not empty.
          const at = isSent(row) ? `data/evidence/${rows.slice(0, i).filter(isSent).length}` : `empty/${i}`;
          const field = (name: keyof EnteredEvidence) => ({
            name: `${at}/${name}`,
            value: row[name],
            onChange: (value: string) => onChange(rows.with(i, { ...row, [name]: value })),
          });
          return (
            <fieldset key={i} className="rounded-lg border bg-surface-secondary p-3">
              <legend className="sr-only">Evidence {i + 1}</legend>
              <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
                <TextInput {...field("name")} label="Name" placeholder="Master’s thesis" />
                <TextInput {...field("genre")} label="Kind" placeholder="Thesis" />
                <TextInput
                  {...field("url")}
                  label="Link"
                  inputMode="url"
                  placeholder="https://"
                  className="sm:col-span-2"
                />
                <TextInputArea
                  {...field("narrative")}
                  label="What it shows"
                  rows={2}
                  description="Markdown is shown as formatted text."
                  className="sm:col-span-2"
                />
              </div>
              <div className="mt-2 flex justify-end">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Remove evidence ${i + 1}`}
                  onPress={() => onChange(rows.filter((_, other) => other !== i))}
                >
                  <Trash2 aria-hidden="true" /> Remove
                </Button>
              </div>
            </fieldset>
          );
        })}
        <Button
          variant="outline"
          size="sm"
          isDisabled={rows.length >= maxEvidence}
          onPress={() => onChange([...rows, { name: "", genre: "", url: "", narrative: "" }])}
        >
          <Plus aria-hidden="true" /> Add evidence
        </Button>
      </div>
    </fieldset>
  );
}

const isSent = (row: EnteredEvidence) => writtenEvidence([row]).length > 0;
