import { z } from "zod";
import { addToInstant, endOfDay, isDay } from "@/server/core/dates";
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
      attribute: z
        .string()
        .max(600)
        .regex(/^[^.]+(?:\.[^.]+){0,7}$/, "must be a path such as contract.end"),
    }),
  ])
  .meta({
    id: "Validity",
    description:
      "none; duration from validFrom; a fixed date; or a date in an attribute of the subject. A date without a time is valid through that day in the organisation's time zone; days and longer units are counted on its calendar.",
  });

export type Validity = z.output<typeof validity>;

/**
 * Returns the exclusive instant at which a credential that is valid from `from` expires; null for never. An attribute
 * is read from the credential's own data first, then from the subject's record, as the card reads it.
 * @param timeZone the organisation's: it defines the day of a date without a time, and how days and months are counted.
 * @returns undefined if the attribute holds no date.
 */
export function expiryOf(
  rule: Validity,
  from: Date,
  attributes: Record<string, unknown>,
  timeZone: string,
  data: Record<string, unknown> = {},
): Date | null | undefined {
  switch (rule.type) {
    case "none":
      return null;
    case "duration":
      return addDuration(from, rule.amount, rule.unit, timeZone);
    case "fixed_date":
      return endOf(rule.date, timeZone);
    case "attribute": {
      const path = rule.attribute.split(".");
      const value = dateOrTime.safeParse(readEntered(data, path) ?? readPath(attributes, path));
      return value.success ? endOf(value.data, timeZone) : undefined;
    }
  }
}

/** A date without a time is valid through the end of its day. */
function endOf(value: string, timeZone: string): Date {
  return isDay(value) ? endOfDay(value, timeZone) : new Date(value);
}

function addDuration(from: Date, amount: number, unit: (typeof units)[number], timeZone: string): Date {
  return unit === "hours"
    ? new Date(from.getTime() + amount * 3_600_000)
    : addToInstant(from, { [unit]: amount }, timeZone);
}
