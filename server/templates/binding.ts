import { z } from "zod";

const path = String.raw`(?:\.[\p{L}\p{N}_-]{1,64}){1,8}`;
const bindingForm = new RegExp(
  `^(?:subject\\.(?:displayName|email|externalId|status)|attributes${path}|credential\\.(?:id|code|kind|state|validFrom|issuedAt|expiresAt|verifyUrl)|credential\\.data${path})$`,
  "u",
);

/** What a field of a design reads, e.g. `subject.displayName`, `attributes.address.city`, `credential.expiresAt`, `credential.data.grade`. */
export const binding = z
  .string()
  .max(600)
  .regex(bindingForm, "must name subject.*, attributes.*, credential.* or credential.data.*")
  .meta({ description: "subject.displayName|email|externalId|status, attributes.<path>, credential.id|code|kind|state|validFrom|issuedAt|expiresAt|verifyUrl or credential.data.<path>." });

/** Where bindings are read from. */
export interface BindingSource {
  subject: { displayName: string; email?: string | null; externalId?: string; status?: string };
  attributes: Record<string, unknown>;
  credential: { data: Record<string, unknown> } & Record<string, unknown>;
}

/** The value that a binding names; null where there is none. Own properties alone are read. */
export function readBinding(source: BindingSource, name: string): unknown {
  return readPath(source as unknown as Record<string, unknown>, name.split("."));
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
