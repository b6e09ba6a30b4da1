"use client";
import { Button, Input } from "@heroui/react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { unsaid, type ColumnChoice, type Meaning } from "./draft";

const reject = { value: "reject", label: "Reject the row" };
const statusOptions = [{ value: "active", label: "Active" }, { value: "inactive", label: "Inactive" }, reject];
const booleanOptions = [{ value: "true", label: "Yes" }, { value: "false", label: "No" }, reject];

/** The fields to translate each value of a column. Rows with other values are rejected. */
export function ValueList({ choice, onChange }: { choice: ColumnChoice; onChange(values: Meaning[]): void }) {
  const { column, target, values } = choice;
  const [another, setAnother] = useState("");
  const value = another.trim();
  const canAdd = value !== "" && value.length <= 200 && !values.some((each) => each.value === value);
  const options = target === "status" ? statusOptions : choice.kind === "boolean" ? booleanOptions : null;
  const say = (of: string, means: string) =>
    onChange(values.map((each) => (each.value === of ? { ...each, means } : each)));
  const add = () => {
    onChange([...values, { value, means: target === "status" ? unsaid : "" }]);
    setAnother("");
  };
  return (
    <div className="mt-3 rounded-lg border p-3">
      <p className="text-xs text-pretty text-muted">
        {target === "status" && values.length === 0
          ? "The cells say active or inactive. If they say it in other words, list each of those words here and say what it means."
          : "What its values mean. A row with a value that is not listed is rejected."}
      </p>
      <ul className="mt-2 space-y-2">
        {values.map(({ value: each, means }) => (
          <li key={each} className="flex flex-wrap items-center justify-between gap-2">
            <bdi className="min-w-0 flex-1 basis-32 text-[0.8125rem] wrap-anywhere">{each}</bdi>
            {options ? (
              <Choice
                compact
                label={`What ${each} means`}
                value={means === unsaid ? null : means || reject.value}
                onChange={(next) => say(each, next === reject.value ? "" : next)}
                options={options}
                className="w-44"
              />
            ) : (
              <Input
                aria-label={`What ${each} means`}
                placeholder="Rejects the row"
                value={means}
                maxLength={1000}
                onChange={({ target: input }) => say(each, input.value)}
                className="h-8 w-44"
              />
            )}
          </li>
        ))}
      </ul>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <Input
          aria-label={`Another value of ${column}`}
          placeholder="Another value"
          value={another}
          onChange={({ target: input }) => setAnother(input.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Otherwise Enter would submit the form.
            event.preventDefault();
            if (canAdd) add();
          }}
          className="h-8 min-w-0 flex-1 basis-32"
        />
        <Button size="sm" variant="outline" isDisabled={!canAdd} onPress={add}>
          Add
        </Button>
      </div>
    </div>
  );
}
