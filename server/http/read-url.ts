import { DomainError } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { refuseText } from "./read-body";

/** @throws DomainError malformed_request where a percent escape cannot be decoded. */
export function checkUrl(url: string): void {
  if (!url.includes("%")) return;
  try {
    // A plus is a space in a query and needs no decoding to be checked.
    refuseText(decodeURIComponent(url));
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError("malformed_request", "The address holds a malformed percent escape.");
  }
}

/** The parameters of the path, decoded. Next gives none at all for a path without any. */
export function readParams(params: Record<string, string | string[]> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, decodeURIComponent(String(value))]));
}

/** The query as an object. A parameter that stands twice is refused: which one was meant cannot be known. */
export function readQuery(url: string): Record<string, string> {
  const mark = url.indexOf("?");
  if (mark === -1) return {};
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (Object.hasOwn(query, name)) throw invalidInput([{ pointer: `/${name}`, code: "repeated", message: "is given twice" }]);
    query[name] = value;
  }
  return query;
}
