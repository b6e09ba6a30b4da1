"use client";
import { Input, TextArea, TextField } from "@heroui/react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import type { FieldKind, Op } from "@/server/rules/rule";
import { GroupsInput } from "./groups-input";
import { numberIn } from "./number-in";
import { TimeInput } from "./time-input";

interface Props {
  kind: FieldKind;
  op: Op;
  value: unknown;
  onChange(value: unknown): void;
}

const statusOptions = [
  { value: "active", label: "Active" },
  { value: "inactive", label: "Inactive" },
] as const;
const yesOrNo = [
  { value: "true", label: "yes" },
  { value: "false", label: "no" },
] as const;
const typeOptions = [
  { value: "string", label: "Text" },
  { value: "number", label: "Number" },
  { value: "boolean", label: "Yes or no" },
] as const;
type ScalarType = (typeof typeOptions)[number]["value"];

/** Shows the input for a condition's value, by its field and operator. */
export function OperandInput({ kind, op, value, onChange }: Props) {
  if (op === "exists") return <YesNo label="Is it known?" value={value} onChange={onChange} />;
  if (op === "before" || op === "after") return <TimeInput value={value} onChange={onChange} />;
  if (kind === "groups") return <GroupsInput isList={op !== "contains"} value={value} onChange={onChange} />;
  if (op === "in" || op === "notIn") return <ListOperand kind={kind} value={value} onChange={onChange} />;
  if (kind === "status")
    return (
      <Choice
        compact
        label="Status"
        value={value === "inactive" ? "inactive" : "active"}
        onChange={(next: "active" | "inactive") => onChange(next)}
        options={statusOptions}
      />
    );
  if (["gt", "gte", "lt", "lte"].includes(op)) return <NumberOperand value={value} onChange={onChange} />;
  if (kind === "text" || op === "startsWith" || op === "endsWith")
    return <TextOperand value={value} onChange={onChange} />;
  return <TypedOperand value={value} onChange={onChange} />;
}

interface One {
  value: unknown;
  onChange(value: unknown): void;
}

function TextOperand({ value, onChange }: One) {
  return (
    <TextField aria-label="Value" value={textOf(value)} onChange={onChange} fullWidth>
      <Input autoComplete="off" className="h-8" />
    </TextField>
  );
}

/** Keeps the text as typed. Text that is not a number gives no value. */
function NumberOperand({ value, onChange }: One) {
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  const type = (next: string) => {
    setText(next);
    onChange(numberIn(next));
  };
  return (
    <TextField aria-label="Number" value={text} onChange={type} fullWidth>
      <Input inputMode="decimal" autoComplete="off" className="h-8" />
    </TextField>
  );
}

/** An attribute has one type in all records: the string "3" and the number 3 differ. */
function TypedOperand({ value, onChange }: One) {
  const [type, setType] = useState<ScalarType>(typeOf(value));
  const choose = (next: ScalarType) => {
    setType(next);
    onChange(next === "boolean" ? true : next === "number" ? numberIn(textOf(value)) : textOf(value));
  };
  return (
    <div className="flex gap-2">
      <Choice
        compact
        label="Type of the value"
        value={type}
        onChange={choose}
        options={typeOptions}
        className="w-32 shrink-0"
      />
      <div className="min-w-0 flex-1">
        {type === "boolean" ? (
          <YesNo label="Value" value={value} onChange={onChange} />
        ) : type === "number" ? (
          <NumberOperand value={value} onChange={onChange} />
        ) : (
          <TextOperand value={value} onChange={onChange} />
        )}
      </div>
    </div>
  );
}

function YesNo({ label, value, onChange }: One & { label: string }) {
  return (
    <Choice
      compact
      label={label}
      value={value === false ? "false" : "true"}
      onChange={(next: "true" | "false") => onChange(next === "true")}
      options={yesOrNo}
    />
  );
}

/** One value per line. Numbers stay numbers if the list held numbers. */
function ListOperand({ kind, value, onChange }: One & { kind: FieldKind }) {
  const given: unknown[] = Array.isArray(value) ? value : [];
  const [type, setType] = useState<ScalarType>(typeOf(given[0]));
  const [text, setText] = useState(given.map(textOf).join("\n"));
  const write = (next: string, as: ScalarType) => {
    setText(next);
    const lines = next
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    onChange(as === "number" ? lines.map(numberIn) : lines);
  };
  return (
    <div className="space-y-2">
      {kind === "attribute" && (
        <Choice
          compact
          label="Type of the values"
          value={type}
          onChange={(next: ScalarType) => {
            setType(next);
            write(text, next);
          }}
          options={typeOptions.filter((option) => option.value !== "boolean")}
        />
      )}
      <TextField aria-label="Values, one a line" value={text} onChange={(next) => write(next, type)} fullWidth>
        <TextArea rows={3} placeholder="One value a line" />
      </TextField>
    </div>
  );
}

function typeOf(value: unknown): ScalarType {
  return typeof value === "number" || typeof value === "boolean" ? (typeof value as ScalarType) : "string";
}

const textOf = (value: unknown) => (value === null || value === undefined ? "" : String(value as string | number));
