import { z } from "zod";
import { line } from "@/server/core/input";
import { binding, enteredPath, readPath } from "@/server/templates/binding";
import { fieldsOf, type Design } from "@/server/templates/design";
import { isDayFormat } from "@/server/templates/field-text";
import { inLocale } from "@/server/templates/fields";
import type { Validity } from "@/server/templates/validity";

/** A field of the claim form besides the name, which is always part of the form. */
export const claimField = z.strictObject({
  binding: binding
    .refine((name) => enteredPath(name) !== null, "must name attributes.* or credential.data.*")
    .meta({
      description: "The binding under which the design reads the value: attributes.<path> or credential.data.<path>.",
    }),
  label: line(100)
    .min(1, "must not be empty")
    .optional()
    .meta({ description: "The label on the form. The label of the design unless sent." }),
  required: z.boolean().optional().meta({ description: "true unless sent." }),
});
export type ClaimField = z.output<typeof claimField>;

const maxFields = 20;

export const claimFields = z
  .array(claimField)
  .max(maxFields)
  .refine(
    (fields) => fields.every(({ binding: a }, i) => fields.every(({ binding: b }, j) => i === j || !overlaps(a, b))),
    "must not ask for the same value twice",
  );

/** A field of the form. */
export interface AskedField {
  /** The name of the form's input. */
  name: string;
  path: string[];
  label: string;
  isRequired: boolean;
  format: "text" | "date" | "datetime" | "number";
  /** Whether the card or the expiry reads the value from the person's record where a credential's data has none. */
  isOnRecord: boolean;
}

/**
 * The fields of a claim form: those chosen for the link, otherwise all that the design reads and a person can enter.
 */
export function askedFields(
  design: Design,
  chosen: ClaimField[] | null,
  locale: string,
  validity?: Validity | null,
): AskedField[] {
  const shown = fieldsOf(design);
  const readFromRecord = [
    ...shown.flatMap((field) => (field.binding?.startsWith("attributes.") ? [field.binding] : [])),
    ...(validity?.type === "attribute" ? [`attributes.${validity.attribute}`] : []),
  ];
  const wanted: ClaimField[] =
    chosen ??
    shown
      .flatMap(({ binding: name }) => (name !== undefined && enteredPath(name) ? [{ binding: name }] : []))
      .filter(({ binding: name }, i, all) => !all.slice(0, i).some((other) => overlaps(other.binding, name)))
      .slice(0, maxFields);
  return wanted.map(({ binding: name, label, required = true }, i) => {
    const field = shown.find((each) => each.binding === name);
    const path = enteredPath(name)!;
    const { format = "text" } = field ?? {};
    return {
      name: `field${i}`,
      path,
      label: label ?? (field?.label === undefined ? path.at(-1)! : inLocale(field.label, locale)),
      isRequired: required,
      format: isDayFormat(format) ? "date" : format === "uppercase" ? "text" : format,
      isOnRecord: name.startsWith("attributes.") || readFromRecord.some((other) => overlaps(name, other)),
    };
  });
}

/** Whether the person's record has the value of a field. A claim then neither asks for it nor changes it. */
export function isDecided({ isOnRecord, path }: AskedField, attributes: Record<string, unknown>): boolean {
  // A plain value at a part of the path, such as an address without parts, also decides the field.
  return isOnRecord && path.some((_, i) => isFilled(readPath(attributes, path.slice(0, i + 1)), i === path.length - 1));
}

function isFilled(value: unknown, isWhole: boolean): boolean {
  if (value === null || value === "") return false;
  return isWhole || typeof value !== "object";
}

/** Returns the data of a claim without the values that the person's record decides. */
export function withoutDecided(
  data: Record<string, unknown>,
  fields: readonly AskedField[],
  attributes: Record<string, unknown>,
): Record<string, unknown> {
  return fields.filter((field) => isDecided(field, attributes)).reduce((kept, { path }) => without(kept, path), data);
}

function without(data: Record<string, unknown>, [key, ...rest]: string[]): Record<string, unknown> {
  if (key === undefined || !Object.hasOwn(data, key)) return data;
  const inner = data[key];
  if (rest.length > 0 && typeof inner === "object" && inner !== null)
    return { ...data, [key]: without(inner as Record<string, unknown>, rest) };
  const { [key]: _, ...others } = data;
  return rest.length > 0 ? data : others;
}

/** Whether two bindings are the same value, or one contains the other, in the data of a credential. */
function overlaps(a: string, b: string): boolean {
  const [one, other] = [`${enteredPath(a)?.join(".")}.`, `${enteredPath(b)?.join(".")}.`];
  return one.startsWith(other) || other.startsWith(one);
}
