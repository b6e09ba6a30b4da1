import type { DesignField } from "@/server/templates/design";

type Width = NonNullable<DesignField["width"]>;

/** The number of columns, of twelve, that a field takes. */
export const spans: Record<Width, number> = { quarter: 3, third: 4, half: 6, full: 12 };

/** The maximum number of fields on a front on which no field has a width: they share a line and wrap as needed. */
export const looseFields = 4;

/**
 * Divides fields into rows of twelve columns, in order, and returns as many rows as fit. Each field has the number of
 * columns that it takes. Fields without room are left out.
 */
export function fitRows<F extends { width?: Width | undefined }>(
  fields: readonly F[],
  { rows, usual }: { rows: number; usual: Width },
): { field: F; span: number }[] {
  let row = 1;
  let used = 0;
  const shown: { field: F; span: number }[] = [];
  for (const field of fields) {
    const span = spans[field.width ?? usual];
    if (used + span > 12) {
      row++;
      used = 0;
    }
    if (row > rows) break;
    used += span;
    shown.push({ field, span });
  }
  return shown;
}

/** Rows of a front and a back, by the shape of the card. */
export const rowsOf = { front: 2, back: 5 } as const;

/** Returns the fields of a side that have no place of their own and that fit on it. */
export function shownInFlow<F extends { width?: Width | undefined }>(
  fields: readonly F[],
  side: "front" | "back",
): F[] {
  if (side === "front" && !fields.some(({ width }) => width)) return fields.slice(0, looseFields);
  return fitRows(fields, { rows: rowsOf[side], usual: side === "front" ? "third" : "half" }).map(({ field }) => field);
}
