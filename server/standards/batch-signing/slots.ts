import { isObject, type Json, type JsonObject } from "../json";

/** What a template leaves open: a text, or a URL that names a node or a resource. */
export type SlotKind = "text" | "url";

/** Begins with a scheme, so that JSON-LD takes either kind where it stands: as the text it is, or as an IRI. */
const prefix = "urn:bonafide-slot:";

/** The placeholder of a value in a template: the whole of a JSON string. */
export const slot = (kind: SlotKind, name: string): string => `${prefix}${kind}:${name}`;

export interface Slot {
  kind: SlotKind;
  name: string;
  marker: string;
}

/** The slot that a text is; undefined for any other text. */
export function slotOf(text: string): Slot | undefined {
  const [, kind, name] = /^urn:bonafide-slot:(text|url):(\w+)$/.exec(text) ?? [];
  return kind === undefined ? undefined : { kind: kind as SlotKind, name: name!, marker: text };
}

export const holdsMarker = (text: string): boolean => text.includes(prefix);

/** Absolute, and of a scheme that no context takes for a prefix. */
const plainUrl = /^(?:https?:\/\/|urn:uuid:|did:[a-z0-9]+:)[\w.~:/?#[\]@!$&'()*+,;=%-]+$/;

/** Whether a value leaves the shape of the graph as the template has it. What does not is signed the slow way. */
export function fits(kind: SlotKind, value: Json | undefined): value is string {
  return typeof value === "string" && (kind === "text" || plainUrl.test(value));
}

/** The template with values in the place of its slots. A value that is undefined takes its property with it. */
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
