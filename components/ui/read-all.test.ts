import { describe, expect, it } from "vitest";
import { readAll, type PageOf } from "./read-all";

/** A list of three pages with two rows each. */
const list: PageOf<{ id: string }> = (cursor) => {
  const page = Number(cursor ?? 0);
  return Promise.resolve({
    data: [{ id: `${page}a` }, { id: `${page}b` }],
    nextCursor: page < 2 ? String(page + 1) : null,
  });
};
const keyOf = ({ id }: { id: string }) => id;

describe("reading a list to its end", () => {
  it("finds each row once and reports the progress", async () => {
    const told: number[] = [];
    const rows = await readAll(list, {
      keyOf,
      most: 6,
      signal: new AbortController().signal,
      onFound: (count) => told.push(count),
    });
    expect([...(rows as Map<string, unknown>).keys()]).toEqual(["0a", "0b", "1a", "1b", "2a", "2b"]);
    expect(told).toEqual([0, 2, 4]);
  });

  it("says so if the list has more rows than the maximum", async () => {
    expect(await readAll(list, { keyOf, most: 4, signal: new AbortController().signal, onFound: () => {} })).toBe(
      "tooMany",
    );
  });

  it.each([0, 1, 2])(
    "returns nothing after it is stopped, even while page %i is loading, and requests no further page",
    async (during) => {
      const stop = new AbortController();
      const asked: (string | null)[] = [];
      const rows = await readAll<{ id: string }>(
        (cursor, signal) => {
          asked.push(cursor);
          if (asked.length - 1 === during) stop.abort();
          return list(cursor, signal);
        },
        { keyOf, most: 6, signal: stop.signal, onFound: () => {} },
      );
      expect(rows).toBe("stopped");
      expect(asked).toHaveLength(during + 1);
    },
  );

  it("reports every failure except that of a cancelled request", async () => {
    const stop = new AbortController();
    const failing: PageOf<{ id: string }> = () => Promise.reject(new Error("The connection broke."));
    await expect(readAll(failing, { keyOf, most: 6, signal: stop.signal, onFound: () => {} })).rejects.toThrow(
      "The connection broke.",
    );
    const cancelled: PageOf<{ id: string }> = () => {
      stop.abort();
      return Promise.reject(new Error("Aborted"));
    };
    expect(await readAll(cancelled, { keyOf, most: 6, signal: stop.signal, onFound: () => {} })).toBe("stopped");
  });
});
