import { z } from "zod";
import { line } from "@/server/core/input";
import type { Parameter } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";

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

/**
 * SQL predicate that applies the filter to a table with columns org_id, id and external_id. Several ids are looked up one
 * by one: in a new organisation, PostgreSQL would read every row for `external_id = ANY(…)` (docs/decisions/143).
 */
export function isExternalId(table: "subjects" | "groups", filter: ExternalIds, parameter: Parameter): string {
  if (filter.parts.length === 1) return `external_id = ${parameter(filter.whole)}`;
  return `id = ANY(ARRAY(SELECT found.id FROM (${withExternalIds(table, filter, parameter)}) found))`;
}

type ExternalIds = z.output<typeof externalIds>;

/** SQL query for the rows of a table that the filter names. */
export function withExternalIds(
  table: "subjects" | "groups",
  { whole, parts }: ExternalIds,
  parameter: Parameter,
): string {
  const [one, several] = [parameter(whole), parameter(parts)];
  const having = (text: string) =>
    `SELECT * FROM ${table} WHERE org_id = ${opaque("$1")} AND external_id = ${text} OFFSET 0`;
  return `SELECT named.* FROM unnest(CASE WHEN EXISTS (${having(one)}) THEN ARRAY[${one}] ELSE ${several}::text[] END) AS given (external_id)
    CROSS JOIN LATERAL (${having("given.external_id")}) named`;
}
