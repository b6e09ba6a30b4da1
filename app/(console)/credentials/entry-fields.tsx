"use client";
import { fieldText } from "@/server/templates/field-text";
import { Choice } from "@/components/ui/choice";
import { DateInput } from "@/components/ui/date-input";
import { TextInput } from "@/components/ui/fields";
import { useRegion } from "@/components/ui/region";
import { recordOf, type Entry } from "./entries";

/** The value for no choice. Every choice has a prefix, so none of them equals this value. */
const nothing = "nothing";
const chosen = (value: string) => (value === "" ? nothing : `=${value}`);

interface Props {
  entries: readonly Entry[];
  /** What was typed, by the entries' names. */
  typed: Readonly<Record<string, string>>;
  onType(name: string, text: string): void;
  /** The attributes of the chosen person; empty until a person is chosen. */
  attributes: Record<string, unknown>;
}

/**
 * A field for each value that the template shows and does not fix, and for the results and credits of its achievement.
 * The person's recorded value is shown in grey until another value is typed.
 */
export function EntryFields({ entries, typed, onType, attributes }: Props) {
  const region = useRegion();
  if (entries.length === 0) return null;
  return (
    <fieldset>
      <legend className="text-[0.8125rem] font-semibold">On this credential</legend>
      <p className="mt-0.5 mb-3 text-xs text-pretty text-muted">
        What you enter here stands on this credential alone. The person's record stays as it is.
      </p>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {entries.map((entry) => {
          const record = fieldText({ value: recordOf(entry, attributes), format: entry.format }, region);
          const description = record ? (
            <>
              From their record: <bdi>{record}</bdi>
            </>
          ) : (
            entry.hint
          );
          const common = {
            label: entry.label,
            name: entry.name,
            value: typed[entry.name] ?? "",
            onChange: (text: string) => onType(entry.name, text),
            description,
          };
          if (entry.choices)
            return (
              <Choice
                key={entry.name}
                {...common}
                value={chosen(common.value)}
                onChange={(value: string) => common.onChange(value === nothing ? "" : value.slice(1))}
                options={[
                  { value: nothing, label: record ? "As in their record" : "None" },
                  ...entry.choices.map(({ value, label }) => ({ value: chosen(value), label })),
                ]}
              />
            );
          if (entry.format === "date") return <DateInput key={entry.name} {...common} />;
          return (
            <TextInput
              key={entry.name}
              {...common}
              placeholder={record}
              {...(entry.format === "number" && { inputMode: "decimal" as const })}
            />
          );
        })}
      </div>
    </fieldset>
  );
}
