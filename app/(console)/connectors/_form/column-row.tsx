"use client";
import { Choice } from "@/components/ui/choice";
import { TextInput } from "@/components/ui/fields";
import { dateFormats } from "@/server/connectors/cell-formats";
import { hasValues, kindOptions, separatorOptions, targetOptions, type ColumnChoice } from "./draft";
import { chooseKind, chooseTarget, isReadable } from "./guess";
import type { SampleColumn } from "./read-sample";
import { ValueList } from "./value-list";

interface Props {
  choice: ColumnChoice;
  /** The column in the sample file; null if no sample was chosen. */
  sample: SampleColumn | null;
  onChange(choice: ColumnChoice): void;
}

const decimalOptions = [
  { value: ".", label: "1,234.5" },
  { value: ",", label: "1.234,5" },
] as const;
const formatOptions = dateFormats.map((value) => ({ value, label: value }));

/** A row of the mapping form: a column of the file, some of its values, its target field and its type. */
export function ColumnRow({ choice, sample, onChange }: Props) {
  const { column, target, kind } = choice;
  const known = sample ?? { name: column, values: choice.values.map(({ value }) => value) };
  const change = (part: Partial<ColumnChoice>) => onChange({ ...choice, ...part });
  return (
    <li className="px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="text-[0.8125rem] font-medium wrap-anywhere">
            <bdi>{column}</bdi>
          </p>
          {sample && (
            <p className="truncate text-xs text-muted">
              <bdi>{sample.values.slice(0, 3).join(" · ") || "Empty in this sample"}</bdi>
            </p>
          )}
        </div>
        <Choice
          compact
          label={`Where ${column} goes`}
          value={target}
          onChange={(next) => onChange(chooseTarget(choice, known, next))}
          options={targetOptions}
          className="w-48"
        />
      </div>
      {target === "attribute" && (
        <div className="mt-3 grid gap-3 sm:grid-cols-3">
          <TextInput
            label="Name of the attribute"
            value={choice.attribute}
            onChange={(attribute) => change({ attribute })}
            mono
            isRequired
            description={
              choice.attribute === "" || isReadable(choice.attribute.trim())
                ? undefined
                : "Cards and rules read only names of letters, digits, _ and -."
            }
          />
          <Choice
            label="Type"
            value={kind}
            onChange={(next) => onChange(chooseKind(choice, known, next))}
            options={kindOptions}
          />
          {kind === "date" && (
            <Choice
              label="Dates are written as"
              value={choice.format || null}
              onChange={(format) => change({ format })}
              options={formatOptions}
              description={choice.format ? undefined : "These dates can be read in two ways."}
              isRequired
            />
          )}
          {kind === "number" && (
            <Choice
              label="Numbers are written as"
              value={choice.decimal || null}
              onChange={(decimal) => change({ decimal })}
              options={decimalOptions}
              description={choice.decimal ? undefined : "These numbers can be read in two ways."}
              isRequired
            />
          )}
        </div>
      )}
      {target === "group" && (
        <div className="mt-3 grid gap-3 sm:grid-cols-3">
          <Choice
            label="A cell"
            value={choice.separator}
            onChange={(separator) => change({ separator })}
            options={
              separatorOptions.some(({ value }) => value === choice.separator)
                ? separatorOptions
                : [
                    ...separatorOptions,
                    { value: choice.separator, label: `Several, separated by “${choice.separator}”` },
                  ]
            }
            description="A group that is not there yet is created. Whom a file of this connector put into a group leaves it once their row no longer names it."
            className="sm:col-span-2"
          />
        </div>
      )}
      {hasValues(choice) && <ValueList choice={choice} onChange={(values) => change({ values })} />}
    </li>
  );
}
