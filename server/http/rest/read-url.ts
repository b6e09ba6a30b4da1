import { DomainError } from "@/server/core/errors";
import { invalidInput, unknownField } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";
import { refuseText } from "./json";

/**
 * @throws DomainError `malformed_request` if a percent escape cannot be decoded, or decodes to text that cannot be
 * stored.
 */
export function checkUrl(url: string): void {
  if (!url.includes("%")) return;
  try {
    // In a query a plus means a space; the check need not decode it.
    refuseText(decodeURIComponent(url));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("malformed_request", "The address holds a malformed percent escape.");
  }
}

/**
 * Checks the path of a page, but not its query, which holds what people type.
 * @throws DomainError `not_found` if it cannot be decoded, because a person may have mistyped it; below /api/,
 * `malformed_request`.
 */
export function checkPagePath(url: string): void {
  try {
    checkUrl(url.split("?", 1)[0]!);
  } catch (error) {
    throw url.startsWith("/api/") ? error : noSuchPage();
  }
}

export const noSuchPage = () => new DomainError("not_found", "There is no such page. Its address may be mistyped.");

/** Returns the decoded path parameters. Next passes undefined for a path without any. */
export function readParams(params: Record<string, string | string[]> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params ?? {}).map(([name, value]) => [name, decodeURIComponent(String(value))]),
  );
}

/** @throws DomainError `invalid_request` that names each unknown parameter and lists the known ones. */
export function refuseUnknown(query: Record<string, string>, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw invalidInput(
    unknown.map((name) => ({
      pointer: jsonPointer([name]),
      code: "unknown_field",
      message: unknownField("query", known),
    })),
  );
}

/** Returns the query as an object. Refuses a repeated parameter, because either value might be meant. */
export function readQuery(url: string): Record<string, string> {
  const mark = url.indexOf("?");
  if (mark === -1) return {};
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (Object.hasOwn(query, name))
      throw invalidInput([
        {
          pointer: jsonPointer([name]),
          code: "repeated",
          message: "is given twice; send it once, with several values separated by commas where it takes several",
        },
      ]);
    query[name] = value;
  }
  return query;
}
