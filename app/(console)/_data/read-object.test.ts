import { expect, it } from "vitest";
import { readObject } from "./read-object";

const reading = (text: string) => () => readObject(text).value;

it("reads an object unchanged, and an empty text as no object", () => {
  expect(reading("  ")()).toEqual({});
  const text = '{"a": [1, -2.50, 1e3, 9007199254740991], "b": {"c": null, "d": true}, "é": "x\\n"}';
  expect(reading(text)()).toEqual(JSON.parse(text));
  expect(JSON.stringify(reading('{"__proto__": {"a": 1}}')())).toBe('{"__proto__":{"a":1}}');
});

it.each([
  ["[1]", 'This must be a JSON object, such as {"box": 7}.'],
  ["null", "This must be a JSON object"],
  ["box: 8", "Line 1: box is not expected here. Names and text stand in double quotes."],
  ['{\n"a": tru\n}', "Line 2: tru is not expected here."],
  ["{“a”: 1}", "Line 1: “ is not expected here. Use straight double quotes."],
  ['{\n"a": 1,\n}', "Line 3: } is not expected here. Look for a comma, colon or bracket"],
  ['{\n"a": ["x"', "Line 2: the text ends too early."],
  ['{"a": 1} x', "Line 1: x is not expected here."],
  ['{"a": "x\ny"}', "Line 1: a text holds a line break or a tab."],
  ['{"a": "\\u0000"}', "Line 1: a text holds a character that cannot be stored."],
  ['{"\\ud800": 1}', "Line 1: a text holds a character that cannot be stored."],
])("says where a text is not a JSON object, and what to do: %j", (text, words) => {
  expect(reading(text)).toThrow(words);
});

it("refuses a name that occurs twice in one object, at any depth", () => {
  expect(reading('{\n"a": 1,\n"a": 2}')).toThrow(
    'Line 3: "a" stands on line 2 already, and only one of them can be kept. Remove or rename one.',
  );
  expect(reading('{"x": [{"b": 1,\n"\\u0062": 1}]}')).toThrow('Line 2: "b" stands on line 1 already');
  expect(reading('{"a": {"b": 1}, "c": {"b": 1}}')()).toEqual({ a: { b: 1 }, c: { b: 1 } });
});

it("refuses a number that would be rounded, and says to write it as a string", () => {
  expect(reading('{\n"id": 9007199254740993}')).toThrow(
    'Line 2: the number 9007199254740993 is beyond 9,007,199,254,740,991 and would be rounded. Write it as text: "9007199254740993".',
  );
  expect(reading('{"id": [1e400]}')).toThrow("would be rounded");
  expect(reading('{"p": 0.1234567890123456789}')).toThrow("has more digits than can be kept");
  expect(reading('{"n": -0}')).toThrow("would lose its sign");
  expect(reading('{"n": 1.50}')()).toEqual({ n: 1.5 });
});

it("finds the line of each member and element", () => {
  const { lineOf } = readObject('{\n"a": [\n{"b": 1},\n{"b":\n2}],\n"c": 3}');
  expect([["a"], ["a", 1, "b"], ["c"], ["missing"]].map(lineOf)).toEqual([2, 4, 6, 1]);
});
