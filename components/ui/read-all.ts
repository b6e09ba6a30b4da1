/** Reads a page of a list: the first without a cursor. */
export type PageOf<Row> = (
  cursor: string | null,
  signal: AbortSignal,
) => Promise<{ data: Row[]; nextCursor: string | null }>;

interface Limits<Row> {
  keyOf(row: Row): string;
  most: number;
  signal: AbortSignal;
  /** Called before each page with the number of rows so far. */
  onFound(count: number): void;
}

/**
 * Returns all rows of a list by key. Returns "stopped" once the signal is aborted, whatever arrived until then, and
 * "tooMany" if the list has more than `most` rows.
 *
 * @throws the errors of `read`, unless it was stopped.
 */
export async function readAll<Row>(
  read: PageOf<Row>,
  { keyOf, most, signal, onFound }: Limits<Row>,
): Promise<ReadonlyMap<string, Row> | "stopped" | "tooMany"> {
  const rows = new Map<string, Row>();
  let cursor: string | null = null;
  do {
    if (signal.aborted) return "stopped";
    onFound(rows.size);
    try {
      const page: Awaited<ReturnType<PageOf<Row>>> = await read(cursor, signal);
      for (const row of page.data) rows.set(keyOf(row), row);
      cursor = page.nextCursor;
    } catch (error) {
      if (signal.aborted) return "stopped";
      throw error;
    }
  } while (cursor && rows.size < most);
  if (signal.aborted) return "stopped";
  return cursor ? "tooMany" : rows;
}
