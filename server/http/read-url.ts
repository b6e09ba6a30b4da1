import { DomainError } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { refuseText } from "./json";

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

/** The same for the path alone: in the query of a page stands what people type. */
export function checkPath(url: string): void {
  checkUrl(url.split("?", 1)[0]!);
}

/** The parameters of the path, decoded. Next gives none at all for a path without any. */
export function readParams(params: Record<string, string | string[]> | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, decodeURIComponent(String(value))]));
}

/** @throws DomainError invalid_request that names each unknown parameter and lists the known ones. */
export function refuseUnknown(query: Record<string, string>, known: readonly string[]): void {
  const unknown = Object.keys(query).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const message = `is not a known query parameter. ${known.length > 0 ? `Known parameters: ${known.join(", ")}.` : "There are none here."}`;
  throw invalidInput(unknown.map((name) => ({ pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, code: "unknown_field", message })));
}

/** The query as an object. A parameter that stands twice is refused: which one was meant cannot be known. */
export function readQuery(url: string): Record<string, string> {
  const mark = url.indexOf("?");
  if (mark === -1) return {};
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(url.slice(mark + 1))) {
    if (Object.hasOwn(query, name)) throw invalidInput([{ pointer: `/${name}`, code: "repeated", message: "is given twice" }]);
    query[name] = value;
  }
  return query;
}
