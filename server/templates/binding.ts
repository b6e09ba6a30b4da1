import { z } from "zod";

const path = String.raw`(?:\.[\p{L}\p{N}_-]{1,64}){1,8}`;
const bindingForm = new RegExp(
  `^(?:subject\\.(?:displayName|email|externalId|status)|attributes${path}|credential\\.(?:id|code|kind|state|validFrom|issuedAt|expiresAt|verifyUrl)|credential\\.data${path})$`,
  "u",
);

/** The binding of the place where a card shows the photo. It has no value among the card's fields. */
export const photoBinding = "subject.photo";

/** The binding of the evidence for an award, a list of objects (server/achievements/award.ts). */
export const evidenceBinding = "credential.data.evidence";

/**
 * Keys of a credential's data under which the snapshot of its subject is stored. No entered data is stored under them.
 */
const snapshotKeys = new Set(["subject", "attributes"]);

/**
 * Whether a binding reads the snapshot directly instead of through subject.* or attributes.*. Code that hides a name or
 * an attribute finds the fields to hide by those two prefixes, so such a binding is refused.
 */
function readsSnapshot(name: string): boolean {
  const [root, data, key] = name.split(".");
  return root === "credential" && data === "data" && snapshotKeys.has(key!);
}

const wrongBinding = "must name subject.*, attributes.*, credential.* or credential.data.*";

/**
 * What a field of a design reads, e.g. `subject.displayName`, `attributes.address.city`, `credential.expiresAt`,
 * `credential.data.grade`.
 */
export const binding = z
  .union(
    [
      z
        .string()
        .max(600)
        .regex(bindingForm, wrongBinding)
        .refine((name) => !readsSnapshot(name), wrongBinding),
      z.literal(photoBinding),
    ],
    wrongBinding,
  )
  .meta({
    description:
      "subject.displayName|email|externalId|status|photo, attributes.<path>, credential.id|code|kind|state|validFrom|issuedAt|expiresAt|verifyUrl or credential.data.<path>, but credential.data.subject and credential.data.attributes, which are read by the former.",
  });

/** The values from which bindings are read. */
export interface BindingSource {
  subject: { displayName: string; email?: string | null; externalId?: string; status?: string };
  attributes: Record<string, unknown>;
  credential: { data: Record<string, unknown> } & Record<string, unknown>;
}

/**
 * Returns the value that a binding names; null if there is none. Reads own properties only. An attribute is read from
 * the credential's own data if the data has the same path: what was entered at issue applies to this credential and
 * takes precedence over the subject's record.
 */
export function readBinding(source: BindingSource, name: string): unknown {
  const path = name.split(".");
  if (readsSnapshot(name)) return null;
  const entered = path[0] === "attributes" ? readEntered(source.credential.data, path.slice(1)) : null;
  return entered ?? readPath(source as unknown as Record<string, unknown>, path);
}

/** Returns what was entered at a path of a credential's data; null for nothing, and for the keys of the snapshot. */
export function readEntered(data: Record<string, unknown>, path: string[]): unknown {
  return snapshotKeys.has(path[0]!) ? null : readPath(data, path);
}

/** Returns the path in a credential's data at which a value for this binding can be entered; null if none can. */
export function enteredPath(name: string): string[] | null {
  const match = /^(?:attributes|credential\.data)\.(.+)$/.exec(name);
  const path = match?.[1]!.split(".");
  return path && !snapshotKeys.has(path[0]!) ? path : null;
}

/** Returns the value at a path of nested objects; null if there is none. */
export function readPath(from: Record<string, unknown>, path: string[]): unknown {
  let value: unknown = from;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Record<string, unknown>)[part];
  }
  return value ?? null;
}
