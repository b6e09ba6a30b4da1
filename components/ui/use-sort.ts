"use client";
import { parseAsStringLiteral, useQueryState } from "nuqs";

export interface SortState {
  /** A field, with "-" before it for descending order; null for the default order. */
  by: string | null;
  onChange(by: string | null): void;
}

/**
 * The order of a list, kept in the URL.
 *
 * @param onChange called after a change, because another order begins at the first page.
 */
export function useSort<F extends string>(fields: readonly F[], onChange: () => void) {
  const values = fields.flatMap((field): (F | `-${F}`)[] => [field, `-${field}`]);
  const [by, setBy] = useQueryState("sort", parseAsStringLiteral(values).withOptions({ history: "push" }));
  return {
    by,
    onChange(next: string | null) {
      void setBy((next as F | `-${F}` | null) ?? null);
      onChange();
    },
  } satisfies SortState;
}
