import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../encoding/multibase";
import { Bitstring, minEntries } from "./bitstring";

describe("Bitstring", () => {
  it("reads exactly the bits that were set", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: minEntries * 2 - 1 }), { maxLength: 200 }),
        fc.nat(),
        (set, seed) => {
          const list = Bitstring.ofLength(minEntries * 2);
          for (const index of set) list.set(index, true);
          const taken = set.filter((_, i) => (i + seed) % 3 === 0);
          for (const index of taken) list.set(index, false);
          const read = Bitstring.decode(list.encode());
          const expected = new Set(set.filter((index) => !taken.includes(index)));
          const found = Array.from({ length: read.length }, (_, i) => i).filter((i) => read.get(i) === 1);
          expect(found).toEqual([...expected].sort((a, b) => a - b));
        },
      ),
      { numRuns: 30 },
    );
  });

  it("has entry 0 as the leftmost bit, and encodes as gzip in multibase base64url", () => {
    const list = Bitstring.ofLength(minEntries);
    list.set(0, true);
    list.set(15, true);
    const encoded = list.encode();
    expect(encoded).toMatch(/^uH4sI[\w-]+$/);
    expect([...gunzipSync(Buffer.from(encoded.slice(1), "base64url")).subarray(0, 3)]).toEqual([128, 1, 0]);
  });

  it("reads entries of several bits", () => {
    const bytes = new Uint8Array(minEntries / 8);
    bytes.set([0b01_10_11_00, 0b10_00_00_00]);
    const list = Bitstring.over(bytes);
    expect([0, 1, 2, 3, 4].map((index) => list.get(index, 2))).toEqual([1, 2, 3, 0, 2]);
    expect(() => list.get(minEntries / 2, 2)).toThrow("outside");
  });

  it.each([-1, minEntries, 0.5, NaN, Infinity, 2 ** 60])("has no entry %s", (index) => {
    expect(() => Bitstring.ofLength(minEntries).get(index)).toThrow("outside");
    expect(() => Bitstring.ofLength(minEntries).set(index, true)).toThrow("no entry");
  });

  const packed = (bytes: Uint8Array) => `u${gzipSync(bytes).toString("base64url")}`;
  it.each<[string, string, RegExp]>([
    ["is one byte too short", packed(new Uint8Array(minEntries / 8 - 1)), /fewer than/],
    ["is empty", packed(new Uint8Array()), /fewer than/],
    ["unpacks to more than 16 MiB", packed(new Uint8Array(16 * 1024 * 1024 + 1)), /unpacked/],
    [
      "unpacks to 2 GiB from a few members",
      `u${Buffer.concat(Array.from({ length: 2_000 }, () => gzipSync(new Uint8Array(1024 * 1024)))).toString("base64url")}`,
      /unpacked/,
    ],
    ["is cut off", packed(new Uint8Array(minEntries / 8)).slice(0, -20), /unpacked|multibase/],
    ["is no gzip", `u${Buffer.alloc(100).toString("base64url")}`, /unpacked/],
    ["is of another alphabet", packed(new Uint8Array(minEntries / 8)).replace("u", "m"), /multibase/],
    ["is in base58", encodeBase58(gzipSync(new Uint8Array(minEntries / 8))), /base64url/],
    ["lacks its letter", packed(new Uint8Array(minEntries / 8)).slice(1), /multibase/],
    ["has padding", `${packed(new Uint8Array(minEntries / 8))}==`, /multibase/],
  ])("refuses a list that %s", (_, encoded, problem) => {
    expect(() => Bitstring.decode(encoded)).toThrow(problem);
  });

  it.each([minEntries - 8, minEntries + 1, 0])("cannot be made with %s entries", (entries) => {
    expect(() => Bitstring.ofLength(entries)).toThrow("at least");
  });
});
