import { expect, it } from "vitest";
import { mergeChange, mergeTyped } from "./merge-change";
import { readObject } from "./read-object";

it("removes members that are gone, sets new or different ones, and leaves the rest out", () => {
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

it("treats __proto__ as an ordinary key", () => {
  const change = mergeChange({}, JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>);
  expect(JSON.stringify(change)).toBe('{"__proto__":{"a":1}}');
});

it("refuses an entered null that would remove a field and names its line, but keeps a stored null", () => {
  const typed = (text: string) => () => mergeTyped({ box: 7, stored: null, shelf: { empty: null } }, readObject(text));
  expect(typed('{\n  "box": null\n}')).toThrow('Line 2: null cannot be kept, it removes the field. Leave "box" out');
  expect(typed('{"new": {\n"deep": {\n"x": null}}}')).toThrow("Line 3: null cannot be kept");
  expect(typed('{"shelf": [{"place": null}], "box": 7, "stored": null}')()).toEqual({ shelf: [{ place: null }] });
  expect(typed('{"box": 8, "stored": null, "shelf": {"empty": null}}')()).toEqual({ box: 8 });
});
