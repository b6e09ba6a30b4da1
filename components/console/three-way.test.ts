import { expect, it } from "vitest";
import { same, threeWay, threeWaySince } from "./three-way";

const first = { name: "Ada", email: "a@example.edu", attributes: { year: 1, room: "A", gone: true } };

it("applies only my changes to what somebody else saved", () => {
  const mine = { ...first, name: "Ada King", attributes: { year: 1, room: "B" } };
  const theirs = { ...first, email: "b@example.edu", attributes: { year: 2, room: "A", gone: true, added: "x" } };
  expect(threeWay(first, mine, theirs)).toEqual({
    merged: { name: "Ada King", email: "b@example.edu", attributes: { year: 2, room: "B", added: "x" } },
    clashes: [],
  });
});

it("takes my value if both changed the same field, and reports both values", () => {
  const mine = { ...first, name: "Mine", attributes: { ...first.attributes, year: 3 } };
  const theirs = { ...first, name: "Theirs", attributes: { year: 2, room: "A" } };
  expect(threeWay(first, mine, theirs)).toEqual({
    merged: { ...first, name: "Mine", attributes: { year: 3, room: "A" } },
    clashes: [
      { path: ["name"], mine: "Mine", theirs: "Theirs" },
      { path: ["attributes", "year"], mine: 3, theirs: 2 },
    ],
  });
});

it("reports a field that one removed and the other changed", () => {
  const { room: _, ...without } = first.attributes;
  const theirs = { ...first, attributes: { ...first.attributes, room: "C" } };
  expect(threeWay(first, { ...first, attributes: without as typeof first.attributes }, theirs).clashes).toEqual([
    { path: ["attributes", "room"], mine: undefined, theirs: "C" },
  ]);
});

it("reports no clash if both made the same change, or wrote members in another order", () => {
  const mine = { ...first, attributes: { gone: true, room: "A", year: 1 } };
  expect(threeWay(first, mine, { ...first, name: "New" })).toEqual({ merged: { ...first, name: "New" }, clashes: [] });
  expect(threeWay(first, { ...first, name: "New" }, { ...first, name: "New" }).clashes).toEqual([]);
  expect(same({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } })).toBe(true);
});

it("merges lists with keys by item, and other lists as a whole", () => {
  const a = { key: "a", label: "A" };
  const b = { key: "b", label: "B" };
  const list = (...fields: { key: string; label: string }[]) => ({ fields });
  const added = { key: "c", label: "C" };
  expect(threeWay(list(a, b), list({ ...a, label: "Mine" }, b), list(a, added))).toEqual({
    merged: list({ ...a, label: "Mine" }, added),
    clashes: [],
  });
  expect(threeWay(list(a, b), list(b, a), list({ ...a, label: "Theirs" }, b)).merged).toEqual(
    list(b, { ...a, label: "Theirs" }),
  );
  expect(threeWay({ types: ["x"] }, { types: [] }, { types: ["x", "y"] })).toEqual({
    merged: { types: [] },
    clashes: [{ path: ["types"], mine: [], theirs: ["x", "y"] }],
  });
});

it("treats __proto__ as an ordinary name", () => {
  const mine = { a: JSON.parse('{"__proto__": 1, "x": 1}') as object };
  const { merged } = threeWay({ a: {} }, mine, { a: { y: 2 } });
  expect(JSON.stringify(merged)).toBe('{"a":{"__proto__":1,"x":1,"y":2}}');
});

it("takes what was entered after the conflict was shown, even if it is the original value", () => {
  const asked = { ...first, name: "Mine" };
  const theirs = { ...first, name: "Theirs", attributes: { ...first.attributes, room: "C" } };
  expect(threeWaySince(first, asked, first, theirs)).toEqual({
    merged: { ...theirs, name: "Ada" },
    clashes: [{ path: ["name"], mine: "Ada", theirs: "Theirs" }],
  });
  // A value that equals what somebody else saved is no longer a clash.
  expect(threeWaySince(first, asked, { ...first, name: "Theirs" }, theirs)).toEqual({ merged: theirs, clashes: [] });
  // A field that was unchanged until then, and was changed after both values were shown.
  const room = { ...asked, attributes: { ...first.attributes, room: "D" } };
  expect(threeWaySince(first, asked, room, theirs).merged).toEqual(room);
});

it("finds later changes in lists with keys", () => {
  const list = (label: string) => ({ fields: [{ key: "a", label }] });
  expect(threeWaySince(list("A"), list("Mine"), list("A"), list("Theirs"))).toEqual({
    merged: list("A"),
    clashes: [{ path: ["fields", "a", "label"], mine: "A", theirs: "Theirs" }],
  });
});
