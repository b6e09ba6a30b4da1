import { readBinding } from "@/server/templates/binding";
import type { IssueContext } from "./issue-context";

/**
 * Builds the copy that an academic credential keeps of its subject: the name and every field that its design reads, as
 * they were at issue. IDs and memberships keep no copy; their fields are read live (contract section 6).
 */
export function snapshot({ kind, subject, bindings }: IssueContext): Record<string, unknown> {
  if (kind !== "academic") return {};
  const source = {
    subject: {
      displayName: subject.display_name,
      email: subject.email,
      externalId: subject.external_id,
      status: subject.status,
    },
    attributes: subject.attributes,
    credential: { data: {} },
  };
  const kept: Record<string, unknown> = { subject: { displayName: subject.display_name }, attributes: {} };
  // A field inside another kept field is kept with that field.
  const outermost = bindings.filter((name) => !bindings.some((other) => name.startsWith(`${other}.`)));
  for (const name of outermost) write(kept, name.split("."), readBinding(source, name));
  return kept;
}

function write(into: Record<string, unknown>, path: string[], value: unknown): void {
  let at = into;
  for (const part of path.slice(0, -1)) {
    if (!Object.hasOwn(at, part)) define(at, part, {});
    at = at[part] as Record<string, unknown>;
  }
  define(at, path.at(-1)!, value);
}

/** Sets a property without assignment, because a key may be `__proto__`. */
function define(on: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(on, key, { value, enumerable: true, configurable: true, writable: true });
}
