"use client";
import { Input, TextField } from "@heroui/react";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { DateInput } from "@/components/ui/date-input";
import { readTime, unitOptions, writeDistance, type Unit } from "./words";

const ways = [
  { value: "now", label: "Now" },
  { value: "ago", label: "Before now" },
  { value: "ahead", label: "After now" },
  { value: "day", label: "On a day" },
] as const;
type Way = (typeof ways)[number]["value"];

/** A time of a rule: now, a distance from now, or a day. */
export function TimeInput({ value, onChange }: { value: unknown; onChange(value: string): void }) {
  const time = readTime(value);
  const [amount, unit] = time.from === "now" ? [Math.abs(time.amount), time.unit] : [30, "d" as const];
  const [typed, setTyped] = useState(String(amount || 30));
  const way: Way = time.from === "text" ? "day" : time.amount === 0 ? "now" : time.amount < 0 ? "ago" : "ahead";
  const write = (as: Way, number: number, of: Unit) => onChange(writeDistance(as === "ago" ? -number : number, of));
  const choose = (next: Way) => {
    if (next === "now") onChange("now");
    else if (next === "day") onChange("");
    else write(next, Number(typed) || 30, unit);
  };
  return (
    <div className="space-y-2">
      <Choice compact label="Which time" value={way} onChange={choose} options={ways} />
      {(way === "ago" || way === "ahead") && (
        <div className="flex gap-2">
          <TextField
            aria-label="How many"
            value={typed}
            onChange={(next) => {
              setTyped(next);
              if (/^[1-9][0-9]{0,5}$/.test(next)) write(way, Number(next), unit);
            }}
            className="w-20"
          >
            <Input inputMode="numeric" autoComplete="off" className="h-8 w-full" />
          </TextField>
          <Choice
            compact
            label="Unit"
            value={unit}
            onChange={(next: Unit) => write(way, amount || 30, next)}
            options={unitOptions}
            className="flex-1"
          />
        </div>
      )}
      {time.from === "text" &&
        (/^$|^\d{4}-\d{2}-\d{2}$/.test(time.text) ? (
          <DateInput compact label="Day" value={time.text} onChange={onChange} />
        ) : (
          <TextField aria-label="Time" value={time.text} onChange={onChange} fullWidth>
            <Input autoComplete="off" className="h-8 font-mono" />
          </TextField>
        ))}
    </div>
  );
}
