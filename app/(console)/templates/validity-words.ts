import type { Validity } from "@/server/templates/validity";
import { formatDay, formatExactUntil, isDay, type Region } from "@/server/core/dates";

/** Returns a validity rule in words, in the organisation's locale. */
export function validityWords(rule: Validity, region: Region): string {
  switch (rule.type) {
    case "none":
      return "Never expires";
    case "duration":
      return `Valid for ${rule.amount} ${rule.amount === 1 ? rule.unit.slice(0, -1) : rule.unit}`;
    case "fixed_date":
      return `Valid through ${isDay(rule.date) ? formatDay(rule.date, region) : formatExactUntil(rule.date, region)}`;
    case "attribute":
      return `Valid through the person's ${rule.attribute}`;
  }
}
