import { expect, it } from "vitest";
import { parseRule } from "@/server/rules/parse";
import { ops, opsOf } from "@/server/rules/rule";
import { numberIn } from "./number-in";
import { joined, kindIn, newCondition, rejoined, withField, withOp, type EditedRule } from "./edit-rule";
import { fieldOptions, readTime, wordsOfTime, writeDistance } from "./words";

const isValid = (rule: EditedRule) => "rule" in parseRule(rule);

it("makes a valid condition of every field except groups and attributes, which need a group or name to be chosen", () => {
  for (const { value } of fieldOptions) {
    const made = withField(newCondition, value);
    expect([value, isValid(value === "attribute" ? { ...made, field: "attributes.dept" } : made)]).toEqual([
      value,
      value !== "groups",
    ]);
  }
});

it("gives every operator a value of the right shape, whichever operator was chosen before", () => {
  const attribute = { field: "attributes.dept", op: "eq", value: "Physics" };
  for (const first of ops) {
    for (const second of ops) {
      const made = withOp(withOp(attribute, first), second);
      expect([first, second, made, isValid(made) || made["value"] === ""]).toEqual([first, second, made, true]);
    }
  }
  const active = { field: "status", op: "eq", value: "active" };
  for (const op of opsOf.status) expect([op, isValid(withOp(active, op))]).toEqual([op, true]);
});

it("keeps the value if the new operator accepts it", () => {
  const is = { field: "attributes.dept", op: "eq", value: "Physics" };
  expect(withOp(is, "in")).toEqual({ ...is, op: "in", value: ["Physics"] });
  expect(withOp(withOp(is, "in"), "ne")).toEqual({ ...is, op: "ne" });
});

it("changes how parts are joined without losing a part", () => {
  const parts = [
    { field: "status", op: "eq", value: "active" },
    { field: "groups", op: "exists", value: true },
  ];
  const none = rejoined(joined("all", parts), "all", "not");
  expect(none).toEqual({ not: { all: parts } });
  expect(rejoined(none, "not", "any")).toEqual({ any: parts });
  expect(isValid(none)).toBe(true);
});

it("knows the kind of an attribute field that has no name yet", () => {
  expect(kindIn({ field: "attributes.", op: "eq", value: "" })).toBe("attribute");
  expect(kindIn({ field: "nonsense" })).toBe("attribute");
});

it("shows times in words, and writes them back unchanged", () => {
  const words = [
    ["now", "now"],
    ["now-30d", "30 days ago"],
    ["now+1w", "in 1 week"],
    ["2026-09-30", "2026-09-30"],
  ];
  expect(words.map(([text]) => [text, wordsOfTime(text)])).toEqual(words);
  for (const [text] of words.slice(0, 3)) {
    const time = readTime(text);
    expect(time.from === "now" && writeDistance(time.amount, time.unit)).toBe(text);
  }
});

it("begins with an incomplete condition", () => {
  expect(isValid(newCondition)).toBe(false);
  expect(isValid({ any: [newCondition] })).toBe(false);
});

it("is incomplete when an empty value becomes a list", () => {
  const empty = { field: "attributes.level", op: "eq", value: "" };
  for (const op of ["in", "notIn"] as const) expect(isValid(withOp(empty, op))).toBe(false);
  expect(withOp({ ...empty, value: "BSc" }, "in")).toEqual({ ...empty, op: "in", value: ["BSc"] });
});

it.each([
  ["1000", 1000],
  ["-1.5", -1.5],
  [" 2 ", 2],
  ["1,5", 1.5],
  ["1,000", null],
  ["1.000,5", null],
  ["1e3", null],
  ["0x10", null],
  ["", null],
])("reads %j as the number %j, or as no number if it is ambiguous", (text, number) => {
  expect(numberIn(text)).toBe(number);
});
