import { z } from "zod";
import { metadata } from "@/server/core/free-json";
import { line } from "@/server/core/input";
import { outboundHeadersProblem } from "@/server/outbound/headers";
import { checkOutboundUrl } from "@/server/outbound/request";
import { eventTypes, isEventPattern } from "@/server/events/catalogue";
import { maxUrl } from "@/server/events/facts";

const url = z
  .string()
  .trim()
  .max(maxUrl)
  .transform((value, issue) => {
    // The URL parser silently removes tabs and line breaks.
    const problem = /\p{Cc}/u.test(value) ? "must not contain control characters" : checkOutboundUrl(value);
    if (problem) issue.addIssue({ code: "custom", message: problem });
    return problem ? value : new URL(value).href;
  })
  // Check the encoded URL, which is the one that is requested and stored: one letter can become nine ASCII characters.
  .refine((href) => href.length <= maxUrl, `must not be over ${maxUrl} characters, encoded as it is sent`)
  .meta({
    override: { type: "string", maxLength: maxUrl },
    description:
      "Where deliveries are sent. https, and no private address, unless the operator allows it. Kept as it is called, other characters than ASCII encoded.",
  });

const pattern = z.string().refine(isEventPattern, {
  error: ({ input }) =>
    `must be an event type or a family pattern such as credential.*, which ${JSON.stringify(String(input).slice(0, 60))} is not; for every event, send eventTypes as []. See GET /v1/webhook_event_types`,
});

const patterns = z
  .array(pattern)
  .max(eventTypes.length)
  .transform((types) => [...new Set(types)])
  .meta({
    override: { type: "array", items: { type: "string" } },
    description: "Types or family patterns such as credential.*; empty for every event.",
  });

const reservedName = /^(svc-.*|webhook-.*|content-type|user-agent)$/i;

const header = z.string().max(2000);

const headers = z
  .record(z.string().max(100), header.nullable())
  .superRefine((value, issue) => {
    const kept = Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const own = Object.keys(kept).find((name) => reservedName.test(name));
    const problem = own ? `The header ${own} cannot be set.` : outboundHeadersProblem(kept);
    if (problem) issue.addIssue({ code: "custom", message: problem });
  })
  .meta({
    description:
      "Headers to add to each delivery, at most 20; null takes one away. Their values are encrypted and not shown again.",
  });

/** Fields of a registration. An update takes the same fields, each of them optional. */
export const endpointFields = {
  url,
  description: line(500).optional(),
  eventTypes: patterns.optional(),
  headers: headers.optional(),
  rateLimit: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .optional()
    .meta({ description: "Deliveries a second at most; null for no limit." }),
  metadata,
};

const maxHeaders = 20;

/** Applies a change to the headers and returns them with names in lower case; null if there are more than 20. */
export function mergeHeaders(
  before: Record<string, string>,
  change: Record<string, string | null> = {},
): Record<string, string> | null {
  const merged = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), value);
  }
  return merged.size > maxHeaders ? null : Object.fromEntries(merged);
}
