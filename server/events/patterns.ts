import { z } from "zod";
import { eventTypes, isEventPattern, type EventType } from "./catalogue";

/** A filter by types and family patterns, separated by commas, as the types that it takes in. */
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

/** As event_matches in SQL: a pattern takes in all that begins with its family. */
export function matchesPattern(type: EventType, pattern: string): boolean {
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
