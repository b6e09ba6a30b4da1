"use client";
import { useState } from "react";
import { Choice } from "@/components/ui/choice";
import { TextInput } from "@/components/ui/fields";
import { readRenewal, renewalUnits, type RenewalUnit } from "./words";

const ways = [
  { value: "no", label: "No, it expires", description: "People who still match then get a new one." },
  { value: "yes", label: "Yes", description: "By the template's validity, from its old end." },
] as const;

interface Props {
  /** A duration such as 30d; empty for none. */
  value: string;
  onChange(value: string): void;
}

/** Whether a credential is extended while its holder matches, and how long before it expires. */
export function RenewalFields({ value, onChange }: Props) {
  const { amount, unit } = readRenewal(value);
  const [typed, setTyped] = useState(amount || "30");
  const isOn = value !== "";
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Choice
        label="Extend before it expires"
        name="renewal"
        value={isOn ? "yes" : "no"}
        onChange={(next: "yes" | "no") => onChange(next === "yes" ? `${typed}${unit}` : "")}
        options={ways}
        description="For templates whose credentials are valid for a time from their issue. Academic ones are never extended."
      />
      {isOn && (
        <div className="grid grid-cols-2 items-start gap-2">
          <TextInput
            label="How long before"
            name="renewal/before"
            inputMode="numeric"
            value={typed}
            onChange={(next) => {
              setTyped(next);
              onChange(`${next.trim()}${unit}`);
            }}
            isRequired
          />
          <Choice
            label="Unit"
            value={unit}
            onChange={(next: RenewalUnit) => onChange(`${typed}${next}`)}
            options={renewalUnits}
          />
        </div>
      )}
    </div>
  );
}
