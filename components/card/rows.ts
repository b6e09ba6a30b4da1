import type { DesignField } from "@/server/templates/design";

type Width = NonNullable<DesignField["width"]>;

/** Columns of the twelve that a field takes. */
export const spans: Record<Width, number> = { quarter: 3, third: 4, half: 6, full: 12 };

/** How many fields without any width the front shows: they stand in a line and break it where they must. */
export const looseFields = 4;

/**
 * Divides fields into rows of twelve columns, in their order, and returns those that fit into so many rows, each with
 * the columns that it takes. What does not fit is left out.
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

/** The fields of a side without a place of their own that find room on it. */
export function shownInFlow<F extends { width?: Width | undefined }>(
  fields: readonly F[],
  side: "front" | "back",
): F[] {
  if (side === "front" && !fields.some(({ width }) => width)) return fields.slice(0, looseFields);
  return fitRows(fields, { rows: rowsOf[side], usual: side === "front" ? "third" : "half" }).map(({ field }) => field);
}
