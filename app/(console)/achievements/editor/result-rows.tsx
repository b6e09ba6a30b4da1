"use client";
import { Button } from "@heroui/react";
import { Plus, Trash2 } from "lucide-react";
import { Choice } from "@/components/ui/choice";
import { TextInput, TextInputArea } from "@/components/ui/fields";
import { resultStatuses } from "@/server/achievements/vocabulary";
import { resultTypeOptions } from "../type-words";
import { freshKey, inputsOf, type EnteredResult } from "./entered";

interface Props {
  rows: EnteredResult[];
  onChange(rows: EnteredResult[]): void;
}

/** The results that a credential of the achievement can hold. */
export function ResultRows({ rows, onChange }: Props) {
  const add = () =>
    onChange([
      ...rows,
      {
        key: freshKey(rows.map(({ key }) => key)),
        name: "",
        resultType: "LetterGrade",
        allowedValues: "",
        requiredValue: "",
        valueMin: "",
        valueMax: "",
        rubricLevels: "",
        requiredLevel: "",
        levels: [],
      },
    ]);
  return (
    <div className="space-y-3">
      {rows.map((row, i) => {
        const set = (some: Partial<EnteredResult>) => onChange(rows.with(i, { ...row, ...some }));
        const text = (name: Exclude<keyof EnteredResult, "levels" | "resultType">) => ({
          name: `resultDescriptions/${i}/${name}`,
          value: row[name],
          onChange: (value: string) => set({ [name]: value }),
        });
        const { hasLevels, hasValues, hasRange } = inputsOf(row);
        const isStatus = row.resultType === "Status";
        return (
          <fieldset key={i} className="rounded-lg border bg-surface-secondary p-3">
            <legend className="sr-only">Result {i + 1}</legend>
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
              <TextInput {...text("name")} label="Result" placeholder="Final grade" isRequired />
              <Choice
                label="Kind of result"
                value={row.resultType}
                onChange={(resultType: string) => set({ resultType })}
                options={resultTypeOptions(row.resultType)}
              />
              {hasLevels && (
                <>
                  <TextInputArea
                    {...text("rubricLevels")}
                    label="Levels"
                    placeholder={"Beginner\nCompetent\nExpert"}
                    description="One a line, the lowest first."
                    isRequired
                  />
                  <TextInput {...text("requiredLevel")} label="Level needed to pass" placeholder="Competent" />
                </>
              )}
              {hasValues && (
                <>
                  <TextInput
                    {...text("allowedValues")}
                    label="Possible values"
                    placeholder={isStatus ? "Completed, Failed" : "A, B, C, D, F"}
                    description={
                      isStatus
                        ? `Separated by commas, of ${Object.keys(resultStatuses).join(", ")}. Empty: all of them.`
                        : "Separated by commas. Empty: any."
                    }
                  />
                  <TextInput
                    {...text("requiredValue")}
                    label="Needed to pass"
                    placeholder={isStatus ? "Completed" : "D"}
                  />
                </>
              )}
              {hasRange && (
                <>
                  <TextInput {...text("valueMin")} label="Lowest" />
                  <TextInput {...text("valueMax")} label="Highest" />
                </>
              )}
              <TextInput
                {...text("key")}
                label="Name in the API"
                mono
                description="Under results in a credential’s data."
              />
            </div>
            <div className="mt-2 flex justify-end">
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Remove result ${i + 1}`}
                onPress={() => onChange(rows.filter((_, at) => at !== i))}
              >
                <Trash2 aria-hidden="true" /> Remove
              </Button>
            </div>
          </fieldset>
        );
      })}
      <Button variant="outline" size="sm" isDisabled={rows.length >= 20} onPress={add}>
        <Plus aria-hidden="true" /> Add result
      </Button>
    </div>
  );
}
