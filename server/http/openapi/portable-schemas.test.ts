import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isObject, type Json } from "./json";
import { portable } from "./portable-schemas";

describe("portable", () => {
  it.each<[string, Json, Json]>([
    [
      "a class of Unicode becomes one that every language reads",
      { type: "string", pattern: String.raw`^[^\p{Cc}]*$` },
      { type: "string", pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` },
    ],
    [
      "constants of one type become an enumeration",
      {
        anyOf: [
          { type: "number", const: 0 },
          { type: "number", const: 3600 },
        ],
      },
      { type: "integer", enum: [0, 3600] },
    ],
    [
      "a choice within a choice is one choice",
      { anyOf: [{ anyOf: [{ type: "string" }, { type: "object" }] }, { type: "null" }] },
      { anyOf: [{ type: "string" }, { type: "object" }, { type: "null" }] },
    ],
    [
      "the bounds of JavaScript's numbers go, and the width is said",
      { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { type: "integer", format: "int64", minimum: 1 },
    ],
    [
      "a small number is an int32",
      { type: "integer", minimum: 1, maximum: 100 },
      { type: "integer", format: "int32", minimum: 1, maximum: 100 },
    ],
    [
      "a field may have the name of a keyword",
      { type: "object", properties: { pattern: { type: "string" }, example: { type: "boolean" } } },
      { type: "object", properties: { pattern: { type: "string" }, example: { type: "boolean" } } },
    ],
    [
      "that names are strings goes without saying",
      { type: "object", propertyNames: { type: "string" } },
      { type: "object" },
    ],
  ])("%s", (_, schema, expected) => {
    expect(portable(schema)).toEqual(expected);
  });

  it("refuses a pattern that it cannot translate", () => {
    for (const pattern of ["^(?=a)", "^(?<!a)b", String.raw`^\p{Lu}`, String.raw`\u0041`])
      expect(() => portable({ type: "string", pattern })).toThrow(/portable-schemas/);
  });
});

it("every integer of the document has a width as its format, and every pattern means the same in every language", () => {
  const found = { integers: 0, patterns: 0 };
  const walk = (schema: Json | undefined): void => {
    if (Array.isArray(schema)) schema.forEach(walk);
    if (!isObject(schema)) return;
    if (typeof schema["pattern"] === "string" && schema["type"] === "string") {
      found.patterns++;
      expect(schema["pattern"]).not.toMatch(/\\p|\\u|\(\?[=!<]/i);
      // In Java, an unescaped bracket inside a class begins a nested class.
      expect(
        schema["pattern"]
          .replaceAll(/\\./g, "")
          .replaceAll(/\[[^\]]*\]/g, (set) => (set.slice(1).includes("[") ? "BRACKET" : "")),
      ).not.toContain("BRACKET");
    }
    if (schema["type"] === "integer" && !("enum" in schema) && !("const" in schema)) {
      found.integers++;
      expect(schema["format"]).toMatch(/^int(32|64)$/);
    }
    for (const [key, inner] of Object.entries(schema)) if (key !== "example") walk(inner);
  };
  walk(JSON.parse(readFileSync("public/openapi.json", "utf8")) as Json);
  expect(found.integers).toBeGreaterThan(50);
  expect(found.patterns).toBeGreaterThan(10);
});
