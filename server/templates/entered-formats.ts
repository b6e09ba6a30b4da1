import { isDay, isInstant } from "@/server/core/dates";
import { isDecimal } from "@/server/core/decimal";
import type { InputIssue } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import { enteredPath, readPath } from "./binding";
import { fieldsOf, type Design } from "./design";

/** A path in a credential's data whose value a field of the design shows as a date, a time or a number. */
export interface EnteredFormat {
  path: string[];
  format: CheckedFormat;
}

type CheckedFormat = keyof typeof checks;

/** The values that server/templates/field-text.ts can show in each format. `text` and `uppercase` accept any value. */
const day = {
  code: "invalid_date" as const,
  fits: isMoment,
  message: "must be a date such as 2029-01-19, since the template shows it as one",
};
const checks = {
  date: day,
  date_short: day,
  month: day,
  year: day,
  datetime: {
    code: "invalid_datetime",
    fits: isMoment,
    message: "must be a time with its zone such as 2029-01-19T09:30:00Z, since the template shows it as one",
  },
  number: {
    code: "invalid_number",
    fits: isNumeric,
    message:
      "must be a number in decimal notation such as 12.5, with at most 100 decimal places, since the template shows it as one",
  },
} as const satisfies Record<string, { code: InputIssue["code"]; fits(value: unknown): boolean; message: string }>;

function isMoment(value: unknown): boolean {
  return typeof value === "string" && (isDay(value) || isInstant(value));
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && isDecimal(value));
}

/**
 * Returns the paths in a credential's data for which the design sets a format. The result is stored beside the design,
 * because each issue needs it and the design is large.
 */
export function enteredFormats(design: Design): EnteredFormat[] {
  return fieldsOf(design).flatMap(({ binding, format }) => {
    const path = binding === undefined ? null : enteredPath(binding);
    return path && format !== undefined && format in checks ? [{ path, format: format as CheckedFormat }] : [];
  });
}

/**
 * Checks data that was sent for a credential, or for a change of it, against the formats. Lists are checked item by
 * item.
 * @throws DomainError invalid_request, with a pointer below `/data` to each value that does not fit.
 */
export function requireFormats(formats: readonly EnteredFormat[], data: Record<string, unknown>): void {
  const issues = formats.flatMap(({ path, format }) => {
    const { code, fits, message } = checks[format];
    const wrong = (value: unknown, at: PropertyKey[]): InputIssue[] =>
      Array.isArray(value)
        ? value.flatMap((each, i) => wrong(each, [...at, i]))
        : value === null || fits(value)
          ? []
          : [{ pointer: jsonPointer(["data", ...at]), code, message }];
    return wrong(readPath(data, path), path);
  });
  if (issues.length > 0) throw invalidInput(issues);
}
