import { z } from "zod";
import { eventTypes, isEventPattern, type EventType } from "./catalogue";

/** A filter by types and family patterns, separated by commas; parsed to the list of types that it matches. */
export const typeFilter = z
  .string()
  .max(1000)
  .transform((text) => text.split(",").map((part) => part.trim()))
  .refine(
    (patterns) => patterns.every(isEventPattern),
    "must be event types or family patterns such as credential.*, separated by commas",
  )
  .transform((patterns) => eventTypes.filter((type) => patterns.some((pattern) => matchesPattern(type, pattern))))
  .meta({
    override: { type: "string" },
    description: "Event types or family patterns such as credential.*, separated by commas.",
  });

/**
 * Whether a type matches a pattern, as event_matches does in SQL: a family pattern matches all types that begin with
 * it.
 */
export function matchesPattern(type: EventType, pattern: string): boolean {
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
