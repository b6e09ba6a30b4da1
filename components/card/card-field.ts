import type { Region } from "@/server/core/dates";
import type { Design, DesignField } from "@/server/templates/design";
import { fieldText } from "@/server/templates/field-text";
import type { ShownField } from "@/server/templates/fields";

/** A ShownField, or its copy from JSON, which leaves out members without a value. */
export type CardField = Omit<ShownField, "value" | "format"> & {
  value?: unknown;
  format: ShownField["format"] | "markdown";
};

/** A field on one side of a card. */
export interface SideField {
  key: string;
  label: string;
  text: string;
  position: DesignField["position"];
  width: DesignField["width"];
}

/** The fields of one side of a design that have a value, in the order of the design. */
export function fieldsOfSide(side: Design["front"], fields: CardField[], region: Region): SideField[] {
  return (side?.fields ?? []).flatMap(({ key, position, width }) => {
    const field = fields.find((each) => each.key === key);
    const text = field ? fieldText(field, region) : "";
    return field && text ? [{ key, label: field.label, text, position, width }] : [];
  });
}

/** Whether the back of a card has anything on it. A card without a back is not turned. */
export function hasBack(design: Design, fields: CardField[], region: Region): boolean {
  return Boolean(design.back?.background) || fieldsOfSide(design.back, fields, region).length > 0;
}
