import { endOfDay } from "@/server/core/dates";
import { isDayFormat } from "@/server/templates/field-text";
import type { BindingSource } from "@/server/templates/binding";
import { expiryOf, type Validity } from "@/server/templates/validity";
import type { Design } from "@/server/templates/design";
import { fieldsOf } from "@/server/templates/design";

/** The outline of a person, instead of a photo. */
export const samplePhoto = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 120"><rect width="90" height="120" fill="#d5dade"/><circle cx="45" cy="48" r="20" fill="#98a2ab"/><path d="M5 120c2-28 18-42 40-42s38 14 40 42z" fill="#98a2ab"/></svg>')}`;

const lastDay = "2027-06-30";

/**
 * Builds a made-up person who has a value for everything that a design reads.
 *
 * @param timeZone the organisation's; the credential ends with a day in this zone
 * @param validity sets the end, as for a credential that is valid from 1 July 2026
 */
export function sampleSource(
  design: Pick<Design, "front" | "back">,
  timeZone: string,
  validity: Validity,
): BindingSource {
  const end = endOfDay(lastDay, timeZone).toISOString();
  const source = {
    subject: { displayName: "Alex Morgan", email: "alex.morgan@example.org", externalId: "A-20417", status: "active" },
    attributes: {},
    credential: {
      id: "crd_sample",
      code: "7GQX-2M4K-9TRD-PW3A",
      kind: "",
      state: "active",
      verifyUrl: "",
      validFrom: "2026-07-01T00:00:00.000Z",
      issuedAt: "2026-07-01T00:00:00.000Z",
      expiresAt: null as string | null,
      data: {},
    },
  };
  for (const field of fieldsOf(design)) {
    const [root, ...path] = field.binding?.split(".") ?? [];
    if (root === "attributes") put(source.attributes, path, sampleValue(path.at(-1)!, field.format, end));
    if (root === "credential" && path[0] === "data")
      put(source.credential.data, path.slice(1), sampleValue(path.at(-1)!, field.format, end));
  }
  const { validFrom, data } = source.credential;
  const ends = expiryOf(validity, new Date(validFrom), source.attributes, timeZone, data);
  // Attributes that the design does not show have no value here.
  source.credential.expiresAt = ends === undefined ? end : (ends?.toISOString() ?? null);
  return source;
}

function sampleValue(name: string, format: string | undefined, end: string): unknown {
  if (format !== undefined && isDayFormat(format)) return lastDay;
  if (format === "datetime") return end;
  if (format === "number") return 42;
  const words = name.replaceAll(/[_-]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function put(into: Record<string, unknown>, path: string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) into[key] = value;
  else put((into[key] ??= {}) as Record<string, unknown>, rest, value);
}
