import { isObject, type Json, type JsonObject } from "../json";

/** The kind of a value that a template leaves open: a text, or a URL that names a node or a resource. */
export type SlotKind = "text" | "url";

/** The beginning of each marker. It has a scheme, so that JSON-LD accepts a marker both as a text and as an IRI. */
const prefix = "urn:bonafide-slot:";

/** The placeholder of a value in a template: the whole of a JSON string. */
export const slot = (kind: SlotKind, name: string): string => `${prefix}${kind}:${name}`;

export interface Slot {
  kind: SlotKind;
  name: string;
  marker: string;
}

/** Parses a marker; undefined for any other text. */
export function slotOf(text: string): Slot | undefined {
  const [, kind, name] = /^urn:bonafide-slot:(text|url):(\w+)$/.exec(text) ?? [];
  return kind === undefined ? undefined : { kind: kind as SlotKind, name: name!, marker: text };
}

export const holdsMarker = (text: string): boolean => text.includes(prefix);

/** An absolute URL, of a scheme that no context defines as a prefix. */
const plainUrl = /^(?:https?:\/\/|urn:uuid:|did:[a-z0-9]+:)[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Whether a value keeps the shape of the template's graph. Otherwise the library signs the credential. */
export function fits(kind: SlotKind, value: Json | undefined): value is string {
  return typeof value === "string" && (kind === "text" || plainUrl.test(value));
}

/** Replaces the slots of a template with values. If a value is undefined, its property is removed. */
export function filled(template: Json | undefined, values: Record<string, Json | undefined>): Json | undefined {
  if (typeof template === "string") {
    const found = slotOf(template);
    return found ? values[found.name] : template;
  }
  if (Array.isArray(template)) return template.map((each) => filled(each, values)).filter((each) => each !== undefined);
  if (!isObject(template)) return template;
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, value]) => {
      const given = filled(value, values);
      return given === undefined ? [] : [[key, given]];
    }),
  ) as JsonObject;
}
