import type { RouterOutputs } from "@/server/trpc/root";
import { count } from "../../words";

export type ScimRequest = RouterOutputs["connectors"]["requests"]["data"][number];

/** Describes a SCIM request. */
export function askedFor({ method, endpoint, effect }: ScimRequest): string {
  const one = { Users: "person", Groups: "group" }[endpoint];
  if (endpoint === "Bulk") return "Several changes at once";
  if (endpoint === ".search") return "Look for people and groups";
  if (!one) return method === "GET" ? "Read what this service can do" : "Something that is not offered";
  const many = one === "person" ? "people" : "groups";
  if (method === "GET") return effect.found === undefined ? `Read a ${one}` : `Look for ${many}`;
  if (method === "POST") return effect.found === undefined ? `Add a ${one}` : `Look for ${many}`;
  if (method === "DELETE") return `Delete a ${one}`;
  return `Change a ${one}`;
}

const words = [
  ["created", "added", "added"],
  ["adopted", "taken over (here already)", "taken over (here already)"],
  ["restored", "restored", "restored"],
  ["deleted", "deleted", "deleted"],
  ["deactivated", "deactivated", "deactivated"],
  ["changed", "changed", "changed"],
  ["added", "member added", "members added"],
  ["removed", "member removed", "members removed"],
  ["awaited", "member is not known yet", "members are not known yet"],
  ["staged", "removal waits for approval", "removals wait for approval"],
  ["ignored", "attribute is not kept here", "attributes are not kept here"],
  ["failed", "change refused", "changes refused"],
] as const;

/** Describes the result of a SCIM request, or why it was refused. */
export function didWhat({ effect, error, status, method }: ScimRequest): string {
  if (error !== null && status >= 400) return error;
  if (effect.found !== undefined) return effect.found === 0 ? "None found" : `${count(effect.found)} found`;
  const told = words.flatMap(([name, one, many]) => {
    const n = effect[name] ?? 0;
    if (n === 0) return [];
    // Leave out the number for a request about a single person, where "one person" adds nothing.
    return [n === 1 && one === many ? one : `${count(n)} ${n === 1 ? one : many}`];
  });
  if (told.length === 1 && effect.ignored) return `Nothing changed: ${told[0]}`;
  // A bulk request says why its first refused change was refused.
  const why = error === null ? "" : (effect.failed ?? 0) > 1 ? `, the first: ${error}` : `: ${error}`;
  if (told.length > 0) return capital(told.join(", ")) + why;
  if (method === "GET") return status === 304 ? "Unchanged since it was read" : "Read";
  return "Nothing changed";
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
