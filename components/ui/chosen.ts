"use client";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { readAll, type PageOf } from "./read-all";

/**
 * The chosen rows of a list by their keys, as they were when they were chosen. They stay chosen when the list shows
 * others.
 */
export type Chosen<Row> = ReadonlyMap<string, Row>;

export interface Choosing<Row> {
  chosen: Chosen<Row>;
  onChange(chosen: Chosen<Row>): void;
  clear(): void;
  /** While more rows are read to be chosen: how many were found so far. Nothing is done with the choice meanwhile. */
  reading: { found: number } | null;
  /**
   * Reads a list to its end and adds its rows to the choice. Any other change of the choice, stopReading() and leaving
   * the page end it, and then nothing is added.
   * @returns what was found and added; "stopped" where it was ended, "tooMany" where more than `most` came.
   */
  addAll(
    read: PageOf<Row>,
    limits: { keyOf(row: Row): string; most: number },
  ): Promise<Chosen<Row> | "stopped" | "tooMany">;
  stopReading(): void;
}

/**
 * What is chosen in each list, by the list's name: kept in this tab while other pages are shown, gone with a reload.
 */
const kept = new Map<string, Chosen<unknown>>();

/**
 * Which rows of a list are chosen: kept while pages are turned, filters change, new rows arrive and other pages are
 * shown.
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

/** How many of the chosen are not among the rows that are shown. */
export function countElsewhere<Row>(
  chosen: Chosen<Row>,
  shown: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
): number {
  return chosen.size - (shown ?? []).filter((row) => chosen.has(keyOf(row))).length;
}
