import { z } from "zod";
import { isDay, isInstant } from "@/server/core/dates";
import { parseInput } from "@/server/core/input";
import { named, paragraphs, url } from "./texts";

/** The most pieces of evidence of a credential. */
export const maxEvidence = 20;

/**
 * One piece of evidence for an award, in the terms of Open Badges 3.0 (`Evidence`): `url` is its `id`. `narrative` is
 * Markdown.
 */
const piece = z
  .strictObject({
    url: url.optional(),
    name: named(300).optional(),
    narrative: paragraphs(5000).optional(),
    description: paragraphs(5000).optional(),
    genre: named(100).optional(),
    audience: named(100).optional(),
  })
  .refine((value) => value.url !== undefined || value.name !== undefined || value.narrative !== undefined, {
    path: ["name"],
    message: "must be given where there is neither a url nor a narrative",
  });

const awardedDate = z
  .string()
  .max(40)
  .refine(
    (text) => (isDay(text) || isInstant(text)) && text >= "1900",
    "must be a date such as 2026-07-01, or a time with its zone such as 2026-07-01T10:00:00Z, from 1900 on",
  );

const award = z.looseObject({
  data: z.looseObject({
    evidence: z.array(piece).max(maxEvidence).nullish(),
    awardedDate: awardedDate.nullish(),
  }),
});

/**
 * Checks what the data of an academic credential says of its award: `evidence` and `awardedDate`. What is signed cannot
 * be corrected.
 * @throws DomainError invalid_request, with a pointer below `/data` to each value that does not fit
 */
export function requireAward(data: Record<string, unknown>): void {
  parseInput(award, { data });
}
