import { z } from "zod";

const path = String.raw`(?:\.[\p{L}\p{N}_-]{1,64}){1,8}`;
const bindingForm = new RegExp(
  `^(?:subject\\.(?:displayName|email|externalId|status)|attributes${path}|credential\\.(?:id|code|kind|state|validFrom|issuedAt|expiresAt|verifyUrl)|credential\\.data${path})$`,
  "u",
);

/** The binding of the place where a card shows the photo. It has no value among the fields. */
export const photoBinding = "subject.photo";

/** Keys of a credential's data that hold the snapshot of its subject, and nothing that was entered. */
const snapshotKeys = new Set(["subject", "attributes"]);

/**
 * Whether a binding reads the snapshot past subject.* and attributes.*, by which what hides a name or an attribute finds
 * every field that shows it.
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

/** Where bindings are read from. */
export interface BindingSource {
  subject: { displayName: string; email?: string | null; externalId?: string; status?: string };
  attributes: Record<string, unknown>;
  credential: { data: Record<string, unknown> } & Record<string, unknown>;
}

/**
 * The value that a binding names; null where there is none. Own properties alone are read. An attribute that the
 * credential's own data holds under the same path is read from there: what was entered at issue is said of this
 * credential, and wins over the subject's record.
 */
export function readBinding(source: BindingSource, name: string): unknown {
  const path = name.split(".");
  if (readsSnapshot(name)) return null;
  const entered = path[0] === "attributes" ? readEntered(source.credential.data, path.slice(1)) : null;
  return entered ?? readPath(source as unknown as Record<string, unknown>, path);
}

/** What was entered for a credential at a path of its data; null for none, and for the keys of the snapshot. */
export function readEntered(data: Record<string, unknown>, path: string[]): unknown {
  return snapshotKeys.has(path[0]!) ? null : readPath(data, path);
}

/**
 * The path in a credential's data at which a value for this binding can be entered; null where the binding takes none.
 */
export function enteredPath(name: string): string[] | null {
  const match = /^(?:attributes|credential\.data)\.(.+)$/.exec(name);
  const path = match?.[1]!.split(".");
  return path && !snapshotKeys.has(path[0]!) ? path : null;
}

/** The value at a path of nested objects; null where there is none. */
export function readPath(from: Record<string, unknown>, path: string[]): unknown {
  let value: unknown = from;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Record<string, unknown>)[part];
  }
  return value ?? null;
}
