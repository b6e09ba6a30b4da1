"use client";
import { Choice } from "@/components/ui/choice";
import { TextInput } from "@/components/ui/fields";
import type { FormPart } from "./form-part";
import { exitOptions, reentryOptions, type Policy } from "./words";

/** What happens to the credential of a person who leaves, after how many days, and when they come back. */
export function LeavingFields({ form, onChange }: FormPart) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Choice
        label="When somebody leaves"
        name="onExit"
        value={form.onExit}
        onChange={(onExit: Policy["onExit"]) => onChange({ onExit })}
        options={exitOptions}
      />
      {form.onExit !== "none" && (
        <TextInput
          label="Days of grace"
          name="graceDays"
          type="number"
          value={form.graceDays}
          onChange={(graceDays) => onChange({ graceDays })}
          description="How many days they keep it. With 0, it ends with the next run."
          isRequired
        />
      )}
      {form.onExit === "suspend" && (
        <Choice
          label="When somebody comes back"
          name="reentry"
          value={form.reentry}
          onChange={(reentry: Policy["reentry"]) => onChange({ reentry })}
          options={reentryOptions}
        />
      )}
    </div>
  );
}
