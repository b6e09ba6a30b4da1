import type { Validity } from "@/server/templates/validity";

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** A validity rule as people say it. */
export function validityWords(rule: Validity): string {
  switch (rule.type) {
    case "none":
      return "Never expires";
    case "duration":
      return `Valid for ${rule.amount} ${rule.amount === 1 ? rule.unit.slice(0, -1) : rule.unit}`;
    case "fixed_date":
      return `Valid through ${day.format(new Date(rule.date))}`;
    case "attribute":
      return `Valid until the subject's ${rule.attribute}`;
  }
}
