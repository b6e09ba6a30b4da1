import { z } from "zod";
import { badRequest, type ScimType } from "./protocol/error";
import { textOfScalar } from "./protocol/values";
import type { Projection } from "./protocol/project";

export const projection = z.custom<Projection>();

/** A query of a list (RFC 7644 section 3.4.2). */
export interface ListQuery {
  filter: string | null;
  /** From 1. A cursor takes precedence if both are sent. */
  startIndex: number;
  /** The cursor of RFC 9865: "" for the first page; null if pages are requested by startIndex. */
  cursor: string | null;
  count: number;
  sortBy: string | null;
  descending: boolean;
  projection: Projection;
}

export const listQuery = z.custom<ListQuery>();

/** SQL: resources without a value come last in ascending order and first in descending (RFC 7644 section 3.4.2.3). */
export const directionOf = ({ descending }: ListQuery) => (descending ? "DESC NULLS FIRST" : "ASC NULLS LAST");

/** The page size without `count`, and the maximum. */
export const usualCount = 100;
export const mostCount = 1_000;

/** Most bytes of a body. A PATCH with 10,000 members has a megabyte. */
export const mostPayload = 10 * 1024 * 1024;

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Reads the query of a list. Unknown parameters are ignored.
 *
 * @throws ScimError invalidFilter, invalidValue, invalidCount
 */
export function readListQuery(sent: Parameters): ListQuery {
  const read = reader(sent);
  const after = cursor(read("cursor"));
  return {
    filter: filterOf(read("filter")),
    // A number below 1 means 1, and a negative count 0 (RFC 7644 section 3.4.2.4).
    startIndex: Math.max(1, whole(read("startIndex"), 1)),
    cursor: after,
    count: Math.min(
      mostCount,
      Math.max(0, whole(read("count"), usualCount, after === null ? "invalidValue" : "invalidCount")),
    ),
    sortBy: text(read("sortBy")),
    descending: text(read("sortOrder"))?.toLowerCase() === "descending",
    projection: readProjection(sent),
  };
}

/** Reads `attributes` and `excludedAttributes`. */
export function readProjection(sent: Parameters): Projection {
  const read = reader(sent);
  const attributes = names(read("attributes"));
  return { attributes, excluded: attributes ? null : names(read("excludedAttributes")) };
}

const reader = (sent: Parameters) => (name: string) =>
  sent[Object.keys(sent).find((each) => each.toLowerCase() === name.toLowerCase()) ?? name];

const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : null);

/** Without this, a filter of another type in a body would list everybody. */
function filterOf(value: unknown): string | null {
  if (value === undefined || value === null || typeof value === "string") return text(value);
  throw badRequest("invalidFilter", 'A filter is a text, such as userName eq "ada".');
}

function cursor(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && value.length <= 2000) return value;
  throw badRequest("invalidCursor", "A cursor is the nextCursor of the page before.");
}

function whole(value: unknown, usual: number, refusal: ScimType = "invalidValue"): number {
  if (value === undefined || value === "") return usual;
  // Number() calls the methods of an object that a client sends in a body.
  const number = typeof value === "object" ? NaN : Number(value);
  if (!Number.isInteger(number) || Math.abs(number) > 1_000_000_000)
    throw badRequest(refusal, "startIndex and count are whole numbers.");
  return number;
}

/** Names separated by commas, or a list of them as a POST to .search has it. */
function names(value: unknown): string[] | null {
  const all = (Array.isArray(value) ? value.map(textOfScalar) : typeof value === "string" ? value.split(",") : [])
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return all.length > 0 ? all.slice(0, 100) : null;
}
