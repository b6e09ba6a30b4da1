import type { Problem } from "./problem";

/**
 * The problem of a form with empty fields, before it is sent: an error for each empty field. Null if all are filled.
 *
 * @param values by the fields' names, such as name or settings/url
 */
export function missingFields(values: Record<string, string | null>): Problem | null {
  const errors = Object.entries(values)
    .filter(([, value]) => !value?.trim())
    .map(([name, value]) => ({
      pointer: `/${name}`,
      code: "too_small" as const,
      message: value === null ? "Choose one" : "Fill this in",
    }));
  if (errors.length === 0) return null;
  return { status: 400, code: "invalid_request", title: "Something is missing", detail: "", errors };
}
