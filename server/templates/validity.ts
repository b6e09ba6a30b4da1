import { z } from "zod";
import { readEntered, readPath } from "./binding";

const units = ["hours", "days", "weeks", "months", "years"] as const;
const dateOrTime = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** How long credentials of a template are valid (contract section 6). */
export const validity = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("none") }),
    z.strictObject({ type: z.literal("duration"), amount: z.int().min(1).max(100_000), unit: z.enum(units) }),
    z.strictObject({ type: z.literal("fixed_date"), date: dateOrTime }),
    z.strictObject({
      type: z.literal("attribute"),
      attribute: z.string().max(600).regex(/^[^.]+(?:\.[^.]+){0,7}$/, "must be a path such as contract.end"),
    }),
  ])
  .meta({
    id: "Validity",
    description:
      "none; duration from validFrom; a fixed date; or a date in an attribute of the subject. A date without a time is valid through that day, UTC.",
  });

export type Validity = z.output<typeof validity>;

/**
 * When a credential that is valid from `from` expires; null for never. An attribute is read from the credential's own data
 * before the subject's record, as its card reads it.
 * @returns undefined where the attribute holds no date.
 */
export function expiryOf(rule: Validity, from: Date, attributes: Record<string, unknown>, data: Record<string, unknown> = {}): Date | null | undefined {
  switch (rule.type) {
    case "none":
      return null;
    case "duration":
      return addDuration(from, rule.amount, rule.unit);
    case "fixed_date":
      return endOf(rule.date);
    case "attribute": {
      const path = rule.attribute.split(".");
      const value = dateOrTime.safeParse(readEntered(data, path) ?? readPath(attributes, path));
      return value.success ? endOf(value.data) : undefined;
    }
  }
}

const dayMs = 86_400_000;

/** A date alone is valid through its day. */
function endOf(value: string): Date {
  return value.includes("T") ? new Date(value) : new Date(Date.parse(value) + dayMs);
}

function addDuration(from: Date, amount: number, unit: (typeof units)[number]): Date {
  if (unit === "hours") return new Date(from.getTime() + amount * 3_600_000);
  if (unit === "days") return new Date(from.getTime() + amount * dayMs);
  if (unit === "weeks") return new Date(from.getTime() + amount * 7 * dayMs);
  return addMonths(from, unit === "years" ? amount * 12 : amount);
}

/** Calendar months in UTC. A day that the month does not have becomes its last: January 31 and a month is February 28 or 29. */
function addMonths(from: Date, months: number): Date {
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return to;
}
