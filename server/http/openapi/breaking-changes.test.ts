import { describe, expect, it } from "vitest";
import { breakingChanges } from "./breaking-changes";
import type { Json } from "./json";

const document = (operation: { [key: string]: Json }): Json => ({
  security: [{ bearer: [] }],
  paths: { "/v1/things": { post: { responses: {}, ...operation } } },
});
const body = (schema: Json) => document({ requestBody: { content: { "application/json": { schema } } } });
const answer = (schema: Json) => document({ responses: { 200: { content: { "application/json": { schema } } } } });
const text: Json = { type: "string" };
const nothing: Json = { type: "null" };
const object = (properties: Json, rest: { [key: string]: Json } = {}): Json => ({
  type: "object",
  properties,
  ...rest,
});

describe("a request body", () => {
  it.each<[string, Json, Json]>([
    ["loses an alternative", { anyOf: [text, nothing] }, text],
    [
      "loses an alternative of several",
      { oneOf: [object({ id: text }, { required: ["id"] }), object({ code: text }, { required: ["code"] })] },
      { oneOf: [object({ id: text }, { required: ["id"] })] },
    ],
    ["has an alternative narrowed", { anyOf: [text, nothing] }, { anyOf: [{ type: "string", maxLength: 3 }, nothing] }],
    ["has a limit beside its alternatives", { anyOf: [text, nothing] }, { maxLength: 3, anyOf: [text, nothing] }],
    [
      "takes no other fields any more",
      object({}, { additionalProperties: true }),
      object({}, { additionalProperties: false }),
    ],
    ["took other fields by saying nothing", object({}), object({}, { additionalProperties: false })],
    [
      "takes other fields of one type alone",
      object({}, { additionalProperties: {} }),
      object({}, { additionalProperties: text }),
    ],
    [
      "has its other fields narrowed",
      object({}, { additionalProperties: text }),
      object({}, { additionalProperties: { type: "string", maxLength: 3 } }),
    ],
    [
      "has the names of its other fields narrowed",
      object({}, { additionalProperties: {} }),
      object({}, { additionalProperties: {}, propertyNames: { pattern: "^a" } }),
    ],
    ["gets a pattern", text, { type: "string", pattern: "^a" }],
    ["gets another pattern", { type: "string", pattern: "^[a-z]" }, { type: "string", pattern: "^[a-y]" }],
    ["gets a format", text, { type: "string", format: "email" }],
    ["gets an enumeration", text, { type: "string", enum: ["a"] }],
    [
      "loses a constant",
      {
        anyOf: [
          { type: "string", const: "a" },
          { type: "string", const: "b" },
        ],
      },
      { type: "string", const: "a" },
    ],
    ["gets a type", {}, text],
  ])("breaks clients when it %s", (_, before, next) => {
    expect(breakingChanges(body(before), body(next))).not.toEqual([]);
    expect(breakingChanges(body(object({ inner: before })), body(object({ inner: next })))).not.toEqual([]);
    expect(breakingChanges(body(before), body(before))).toEqual([]);
  });

  it.each<[string, Json, Json]>([
    ["gains an alternative", text, { anyOf: [text, nothing] }],
    ["takes other fields", object({}, { additionalProperties: false }), object({}, { additionalProperties: true })],
    [
      "takes a field that it took among the others",
      object({ a: text }, { additionalProperties: false }),
      object({}, { additionalProperties: {} }),
    ],
    ["loses a pattern and a limit", { type: "string", pattern: "^a", maxLength: 3 }, text],
    [
      "leaves out an alternative that what stands beside it excludes",
      { type: "integer", minimum: 0, anyOf: [{ type: "number" }, text] },
      { type: "integer", minimum: 0 },
    ],
    [
      "joins two alternatives",
      {
        anyOf: [
          { type: "string", const: "a" },
          { type: "string", const: "b" },
        ],
      },
      { type: "string", enum: ["a", "b", "c"] },
    ],
  ])("may change to one that %s", (_, before, next) => {
    expect(breakingChanges(body(before), body(next))).toEqual([]);
  });

  it("breaks clients when it becomes required or loses a media type", () => {
    const media = { content: { "application/json": { schema: text }, "text/csv": { schema: text } } };
    expect(
      breakingChanges(document({ requestBody: media }), document({ requestBody: { ...media, required: true } })),
    ).toHaveLength(1);
    expect(
      breakingChanges(
        document({ requestBody: media }),
        document({ requestBody: { content: { "text/csv": { schema: text } } } }),
      ),
    ).toHaveLength(1);
  });
});

describe("a response", () => {
  it.each<[string, Json, Json]>([
    ["may suddenly be null", text, { anyOf: [text, nothing] }],
    [
      "loses a field in one of its alternatives",
      { anyOf: [object({ a: text }), nothing] },
      { anyOf: [object({}), nothing] },
    ],
    ["loses its other fields", object({}, { additionalProperties: text }), object({}, { additionalProperties: false })],
    [
      "has other fields of another type",
      object({}, { additionalProperties: text }),
      object({}, { additionalProperties: { type: "integer" } }),
    ],
    ["loses a format", { type: "string", format: "date-time" }, text],
  ])("breaks clients when it %s", (_, before, next) => {
    expect(breakingChanges(answer(before), answer(next))).not.toEqual([]);
    expect(breakingChanges(answer(object({ inner: before })), answer(object({ inner: next })))).not.toEqual([]);
    expect(breakingChanges(answer(before), answer(before))).toEqual([]);
  });

  it.each<[string, Json, Json]>([
    ["is never null any more", { anyOf: [text, nothing] }, text],
    ["has a value more", { type: "string", enum: ["a"] }, { type: "string", enum: ["a", "b"] }],
    [
      "has a field more",
      object({}, { additionalProperties: false }),
      object({ a: text }, { additionalProperties: false }),
    ],
  ])("may change to one that %s", (_, before, next) => {
    expect(breakingChanges(answer(before), answer(next))).toEqual([]);
  });
});

describe("the rights that an operation requires", () => {
  const needing = (...security: Json[]) => document({ security });
  it.each<[string, Json, Json]>([
    ["a scope more", needing({ bearer: [] }, { oauth: ["a"] }), needing({ bearer: [] }, { oauth: ["a", "b"] })],
    ["another scope", needing({ oauth: ["a"] }), needing({ oauth: ["b"] })],
    ["a token where none was needed", needing(), document({})],
    ["one way less", needing({ bearer: [] }, { oauth: ["a"] }), needing({ bearer: [] })],
  ])("break clients with %s", (_, before, next) => {
    expect(breakingChanges(before, next)).toHaveLength(1);
  });

  it.each<[string, Json, Json]>([
    ["a scope less", needing({ oauth: ["a", "b"] }), needing({ oauth: ["a"] })],
    ["one way more", needing({ bearer: [] }), needing({ bearer: [] }, { oauth: ["a"] })],
    ["none at all", document({}), needing()],
  ])("may change to %s", (_, before, next) => {
    expect(breakingChanges(before, next)).toEqual([]);
  });
});

describe("the responses of an operation", () => {
  const answering = (...statuses: string[]) =>
    document({ responses: Object.fromEntries(statuses.map((status) => [status, { description: "" }])) });

  it("must keep every success status and may lose a refusal", () => {
    expect(breakingChanges(answering("200", "409"), answering("200"))).toEqual([]);
    expect(breakingChanges(answering("200", "201"), answering("200"))).toHaveLength(1);
  });

  it("are compared through references", () => {
    const referring = (schema: Json) =>
      ({
        ...(document({ responses: { 200: { $ref: "#/components/responses/Done" } } }) as object),
        components: { responses: { Done: { content: { "application/json": { schema } } } } },
      }) as Json;
    expect(breakingChanges(referring(object({ a: text }, { required: ["a"] })), referring(object({})))).not.toEqual([]);
    expect(breakingChanges(answer(text), referring(text))).toEqual([]);
  });
});
