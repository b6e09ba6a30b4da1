"use client";
import { Choice } from "@/components/ui/choice";
import { DateInput } from "@/components/ui/date-input";
import { TextInput } from "@/components/ui/fields";
import { useRegion } from "@/components/ui/region";
import type { Validity } from "@/server/templates/validity";
import { isDay, lastDayOf } from "@/server/core/dates";

const types = [
  { value: "none", label: "Never expires" },
  { value: "duration", label: "For a time from issue" },
  { value: "fixed_date", label: "Through a fixed date" },
  { value: "attribute", label: "Through a date in the person's record" },
] as const;
const units = (["hours", "days", "weeks", "months", "years"] as const).map((value) => ({ value, label: value }));

const initial: Record<Validity["type"], () => Validity> = {
  none: () => ({ type: "none" }),
  duration: () => ({ type: "duration", amount: 1, unit: "years" }),
  fixed_date: () => ({ type: "fixed_date", date: `${new Date().getFullYear() + 1}-12-31` }),
  attribute: () => ({ type: "attribute", attribute: "validUntil" }),
};

/** How long credentials of a template are valid. */
export function ValidityInput({ value, onChange }: { value: Validity; onChange(value: Validity): void }) {
  const { timeZone } = useRegion();
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Choice
        label="Credentials are valid"
        value={value.type}
        onChange={(type) => onChange(initial[type]())}
        options={types}
      />
      {value.type === "duration" && (
        <div className="grid grid-cols-[5rem_1fr] items-end gap-2">
          <TextInput
            label="Time"
            name="validity/amount"
            inputMode="numeric"
            value={String(value.amount)}
            onChange={(text) => onChange({ ...value, amount: Number(text.replaceAll(/\D/g, "")) })}
          />
          <Choice
            label="Unit"
            compact
            value={value.unit}
            onChange={(unit) => onChange({ ...value, unit })}
            options={units}
            className="pb-0.5"
          />
        </div>
      )}
      {value.type === "fixed_date" && (
        <DateInput
          label="Last day"
          isRequired
          name="validity/date"
          value={isDay(value.date) ? value.date : lastDayOf(value.date, timeZone)}
          onChange={(date) => date && onChange({ ...value, date })}
        />
      )}
      {value.type === "attribute" && (
        <TextInput
          label="Name of the date in the record"
          name="validity/attribute"
          mono
          value={value.attribute}
          onChange={(attribute) => onChange({ ...value, attribute })}
          description="An attribute that holds a date such as 2027-06-30."
        />
      )}
    </div>
  );
}
