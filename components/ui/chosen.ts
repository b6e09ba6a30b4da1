"use client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readAll, type PageOf } from "./read-all";

/**
 * The chosen rows of a list by key, as they were when they were chosen. They stay chosen when the list shows other
 * rows.
 */
export type Chosen<Row> = ReadonlyMap<string, Row>;

export interface Choosing<Row> {
  chosen: Chosen<Row>;
  onChange(chosen: Chosen<Row>): void;
  clear(): void;
  /**
   * While further rows are loaded to be chosen: the number found so far. Actions on the choice are disabled meanwhile.
   */
  reading: { found: number } | null;
  /**
   * Loads the whole list and adds its rows to the choice. Any other change of the choice, stopReading() and leaving the
   * page stop it, and then nothing is added.
   *
   * @returns what was found and added; "stopped" if it was stopped; "tooMany" if there are more than `most` rows
   */
  addAll(
    read: PageOf<Row>,
    limits: { keyOf(row: Row): string; most: number },
  ): Promise<Chosen<Row> | "stopped" | "tooMany">;
  stopReading(): void;
}

/** The choice of each list, by the list's name: kept in this tab while other pages are shown, lost on a reload. */
const kept = new Map<string, Chosen<unknown>>();

/**
 * The chosen rows of a list. The choice is kept while pages are turned, filters change, new rows arrive and other pages
 * are shown.
 *
 * @param list names the list and the organisation whose rows it shows.
 */
export function useChosen<Row>(list: string): Choosing<Row> {
  const [chosen, setChosen] = useState<Chosen<Row>>(() => (kept.get(list) as Chosen<Row> | undefined) ?? new Map());
  const [reading, setReading] = useState<Choosing<Row>["reading"]>(null);
  const run = useRef<AbortController | null>(null);
  const stopReading = useCallback(() => {
    run.current?.abort();
    run.current = null;
    setReading(null);
  }, []);
  const onChange = useCallback(
    (next: Chosen<Row>) => {
      stopReading();
      kept.set(list, next);
      setChosen(next);
    },
    [list, stopReading],
  );
  const clear = useCallback(() => onChange(new Map()), [onChange]);
  const addAll = useCallback<Choosing<Row>["addAll"]>(
    async (read, { keyOf, most }) => {
      stopReading();
      const mine = (run.current = new AbortController());
      try {
        const found = await readAll(read, {
          keyOf,
          most,
          signal: mine.signal,
          onFound: (count) => setReading({ found: count }),
        });
        if (typeof found === "string") return found;
        onChange(new Map([...chosen, ...found]));
        return found;
      } finally {
        if (run.current === mine) stopReading();
      }
    },
    [chosen, onChange, stopReading],
  );
  useEffect(() => () => run.current?.abort(), []);
  return useMemo(
    () => ({ chosen, onChange, clear, reading, addAll, stopReading }),
    [chosen, onChange, clear, reading, addAll, stopReading],
  );
}

/** How many of the chosen rows are not among the shown rows. */
export function countElsewhere<Row>(
  chosen: Chosen<Row>,
  shown: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
): number {
  return chosen.size - (shown ?? []).filter((row) => chosen.has(keyOf(row))).length;
}
