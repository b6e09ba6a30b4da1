import { z } from "zod";
import { line } from "@/server/core/input";
import type { Parameter } from "@/server/core/list-filters";

/**
 * An externalId as it is stored: without surrounding spaces and in Unicode's composed form (NFC), so that a typed "é"
 * and an "é" from a file are equal. It is case-sensitive. Every input and every filter reads an externalId with this
 * schema or `normalExternalId`.
 */
export const externalId = line(255, z.string().normalize("NFC")).min(1, "must not be empty").meta({
  description:
    "The caller's own key. Upserts are idempotent on it. Spaces around it are taken off and it is kept in NFC; case counts.",
});

const normalExternalId = (text: string) => text.normalize("NFC").trim();

const maxIds = 100;

/**
 * A filter by externalId. Commas separate several. An externalId may itself contain commas: if one equals the whole
 * text, only that one matches.
 */
export const externalIds = z
  .string()
  .max(maxIds * 256)
  .transform((text) => ({ whole: normalExternalId(text), parts: [...new Set(text.split(",").map(normalExternalId))] }))
  .refine(({ whole }) => whole !== "", "must not be empty; leave it out to ask for all")
  .refine(({ parts }) => parts.length <= maxIds, {
    error: `must have at most ${maxIds} external ids`,
    params: { code: "too_big" },
  })
  .meta({
    override: { type: "string" },
    description: "An externalId; several separated by commas. One that holds a comma itself is found as a whole.",
  });

/** SQL predicate that applies the filter to a table's column external_id. */
export function isExternalId(
  table: "subjects" | "groups",
  { whole, parts }: z.output<typeof externalIds>,
  parameter: Parameter,
): string {
  const is = `external_id = ${parameter(whole)}`;
  if (parts.length === 1) return is;
  return `(${is} OR external_id = ANY(${parameter(parts)}::text[]) AND NOT EXISTS (SELECT FROM ${table} WHERE org_id = $1 AND external_id = ${parameter(whole)}))`;
}
