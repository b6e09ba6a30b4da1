"use client";
import { Button } from "@heroui/react";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { Panel } from "@/components/ui/panel";
import type { Draft } from "./draft";
import type { Sample } from "./read-sample";
import { ColumnRow } from "./column-row";

const orders = [
  { value: "givenFirst", label: "Given name first", description: "Ada Lovelace" },
  { value: "familyFirst", label: "Family name first", description: "Lovelace Ada" },
] as const;

/** From this number of unmapped columns on, they are collapsed. */
const foldedFrom = 6;

interface Props {
  draft: Draft;
  sample: Sample | null;
  onChange(change: (draft: Draft) => Draft): void;
}

/** The fields to choose the target of each column. */
export function MappingFields({ draft, sample, onChange }: Props) {
  const has = (target: string) => draft.columns.some((choice) => choice.target === target);
  const [isOpen, setOpen] = useState(false);
  // A column whose target is being changed keeps its place in the list, so that it does not jump.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const isUnused = (choice: Draft["columns"][number]) => !isMapped(choice) && !touched.has(choice.column);
  const unused = draft.columns.filter(isUnused).length;
  const isFolded = !isOpen && unused >= foldedFrom && unused < draft.columns.length;
  const absent = sample && draft.columns.filter(isMapped).filter(({ column }) => !sample.headers.includes(column));
  return (
    <Panel
      title="Columns"
      description="Say where each column goes. One must be the id by which your system knows a person."
      flush
    >
      <ul className="divide-y divide-separator">
        {draft.columns.map((choice, i) =>
          isFolded && isUnused(choice) ? null : (
            <ColumnRow
              key={`${i} ${choice.column}`}
              choice={choice}
              sample={sample?.columns.find(({ name }) => name === choice.column) ?? null}
              onChange={(next) => {
                setTouched((now) => new Set(now).add(choice.column));
                onChange((now) => ({ ...now, columns: now.columns.map((each, at) => (at === i ? next : each)) }));
              }}
            />
          ),
        )}
      </ul>
      {isFolded && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-3 sm:px-5">
          <Button variant="ghost" size="sm" onPress={() => setOpen(true)}>
            <ChevronDown aria-hidden="true" /> {unused} more columns
          </Button>
          <span className="text-xs text-muted">They are not read.</span>
        </div>
      )}
      {has("givenName") && has("familyName") && (
        <div className="border-t px-4 py-3 sm:px-5">
          <Choice
            label="Order of names"
            value={draft.nameOrder}
            onChange={(nameOrder) => onChange((now) => ({ ...now, nameOrder }))}
            options={orders}
            className="max-w-xs"
          />
        </div>
      )}
      {absent && absent.length > 0 && (
        <p
          role="status"
          className="border-t px-4 py-3 text-[0.8125rem] wrap-anywhere text-danger-soft-foreground sm:px-5"
        >
          The sample has no column {absent.map(({ column }) => `“${column}”`).join(", ")}. Files without it are not
          applied; let it go to Nothing if it is gone for good.
        </p>
      )}
      {draft.kept.length > 0 && (
        <div className="border-t px-4 py-3 text-[0.8125rem] sm:px-5">
          <p className="text-muted">Set with the API, and kept as they are:</p>
          <ul className="mt-1 space-y-1">
            {draft.kept.map(([field, from]) => (
              <li key={field} className="wrap-anywhere">
                <bdi>{field.replace("attributes.", "")}</bdi>{" "}
                <code className="font-mono text-xs text-muted">{JSON.stringify(from)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  );
}

const isMapped = ({ target }: Draft["columns"][number]) => target !== "none";
