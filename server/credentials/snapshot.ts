import { readBinding } from "@/server/templates/binding";
import type { IssueContext } from "./issue-context";

/**
 * What an academic credential keeps of its subject: the name, and every field that its design reads. It says for ever
 * what was so at issue. IDs and memberships keep nothing and are read live (contract section 6).
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
  // A field within another that is kept too is kept with it.
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

/** Not an assignment, since a key may be `__proto__`. */
function define(on: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(on, key, { value, enumerable: true, configurable: true, writable: true });
}
