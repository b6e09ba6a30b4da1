import { z } from "zod";
import { line } from "@/server/core/input";
import { binding, enteredPath } from "@/server/templates/binding";
import { fieldsOf, type Design } from "@/server/templates/design";
import { isDayFormat } from "@/server/templates/field-text";
import { inLocale } from "@/server/templates/fields";

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
}

/** The fields of a claim form: those chosen for the link, else all that the design reads and a person can enter. */
export function askedFields(design: Design, chosen: ClaimField[] | null, locale: string): AskedField[] {
  const shown = fieldsOf(design);
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
    };
  });
}

/** Whether two bindings name the same value in a credential's data, or one names a part of the other. */
function overlaps(a: string, b: string): boolean {
  const [one, other] = [`${enteredPath(a)?.join(".")}.`, `${enteredPath(b)?.join(".")}.`];
  return one.startsWith(other) || other.startsWith(one);
}
