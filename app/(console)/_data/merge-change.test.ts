import { expect, it } from "vitest";
import { mergeChange, readObject } from "./merge-change";

it("removes what is gone, sets what is new or different, and leaves the rest out", () => {
  const before = { box: 7, shelf: { row: "a", place: 3 }, tags: ["x"], gone: { deep: true } };
  const after = { box: 7, shelf: { row: "b", floor: 1 }, tags: ["x", "y"], added: "n" };
  expect(mergeChange(before, after)).toEqual({
    gone: null,
    shelf: { place: null, row: "b", floor: 1 },
    tags: ["x", "y"],
    added: "n",
  });
  expect(mergeChange(before, before)).toEqual({});
});

it("keeps __proto__ a key like any other", () => {
  const change = mergeChange({}, JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>);
  expect(JSON.stringify(change)).toBe('{"__proto__":{"a":1}}');
});

it("reads objects alone, and no text as none", () => {
  expect(readObject("  ")).toEqual({});
  expect(readObject('{"a":1}')).toEqual({ a: 1 });
  for (const text of ["[1]", "1", "null", "{"]) expect(readObject(text)).toBeNull();
});
