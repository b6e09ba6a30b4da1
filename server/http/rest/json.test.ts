import { describe, expect, it, vi } from "vitest";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { parseJsonObject } from "./json";

const parse = (text: string) => parseJsonObject(Buffer.from(text));
const refusal = (text: string) => {
  try {
    return parse(text);
  } catch (error) {
    return error as { code: string; message: string; extras: { errors?: { pointer: string; code: string }[] } };
  }
};

describe("numbers", () => {
  it.each([
    "0",
    "7",
    "-12",
    "9007199254740991",
    "-9007199254740991",
    "0.1",
    "1.50",
    "1e2",
    "1.0E+2",
    "123456.789e-3",
    "5e-324",
    "0e999",
    "3.141592653589793",
  ])("%s is read exactly", (number) => {
    expect(parse(`{"a":[${number}]}`)).toEqual({ a: [Number(number)] });
  });

  it.each([
    "-0",
    "-0.0",
    "-0e9",
    "9007199254740992",
    "-9007199254740993",
    "12345678901234567890",
    "1e16",
    "1e400",
    "-1e400",
    "0.12345678901234567890",
    "3.14159265358979323846",
    "1e-400",
    "1000000000000000000000.5",
    `1${"0".repeat(400)}`,
  ])("%s is refused with its place and the advice to send a string", (number) => {
    expect(refusal(`{"items":[{"ü~/":{"deep":[1,"}",${number}]}}]}`)).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("send it as a string"),
      extras: { errors: [{ pointer: "/items/0/ü~0~1/deep/2", code: "inexact_number" }] },
    });
  });

  it("in strings are read as text", () => {
    expect(parse('{"a":"9007199254740993","b\\"9007199254740993":1}')).toEqual({
      a: "9007199254740993",
      'b"9007199254740993': 1,
    });
  });
});

describe("keys", () => {
  it.each([
    ['{"a":1,"a":2}', "/a"],
    ['{"x":[{"a":1},{"b":{"c":1,"d":":","c":1}}]}', "/x/1/b/c"],
    ['{"a":1,"\\u0061":1}', "/a"],
    ['{"__proto__":1,"__proto__":1}', "/__proto__"],
  ])("that occur twice in an object are refused: %s", (text, pointer) => {
    expect(refusal(text)).toMatchObject({
      code: "invalid_request",
      extras: { errors: [{ pointer, code: "repeated" }] },
    });
  });

  it("may occur once in each of several objects", () => {
    expect(parse('{"a":{"a":[{"a":":"},{"a":"a:b"}]}}')).toEqual({ a: { a: [{ a: ":" }, { a: "a:b" }] } });
  });

  it("may be __proto__", () => {
    expect(JSON.stringify(parse('{"__proto__":{"a":1},"constructor":2}'))).toBe(
      '{"__proto__":{"a":1},"constructor":2}',
    );
  });
});

it("depth is limited before anything is parsed", () => {
  expect(refusal(`{"a":${"[".repeat(100_000)}`)).toMatchObject({
    code: "malformed_json",
    message: expect.stringContaining("64 levels"),
  });
  expect(parse(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`)).toBeDefined();
});

describe("a refusal costs one pass over the body, whatever it holds:", () => {
  const key = "k".repeat(20_000);
  const long = `{"${key}":[${"0,".repeat(5_000)}0],`;

  it.each([
    ["a rounded number", `${long}"z":12345678901234567890}`, "/z"],
    ["a repeated key", `${long}"z":1,"z":2}`, "/z"],
    ["a rounded number below a long key", `{"${key}":[1e400]}`, `/${"k".repeat(200)}…/0`],
    [
      "a rounded number below many long keys",
      `${`{"${key}":`.repeat(60)}1e400${"}".repeat(60)}`,
      expect.stringMatching(/^(?:\/k{200}…){4}\/k+…$/),
    ],
    ["a repeated key that is long", `{"${key}":1,"${key}":2}`, `/${"k".repeat(200)}…`],
  ])("%s", (_, text, pointer) => {
    let built = 0;
    const replaceAll = String.prototype.replaceAll;
    const spy = vi.spyOn(String.prototype, "replaceAll").mockImplementation(function (this: string, ...args) {
      built += this.length;
      return Reflect.apply(replaceAll, this, args) as string;
    });
    try {
      expect(refusal(text)).toMatchObject({ code: "invalid_request", extras: { errors: [{ pointer }] } });
    } finally {
      spy.mockRestore();
    }
    expect(built).toBeLessThan(10_000);
  });

  it("an inexact number in a body that is not UTF-8", () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('","b":[1e400]}')]);
    expect(() => parseJsonObject(body)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        extras: { errors: [expect.objectContaining({ pointer: "/b/0" })] },
      }),
    );
  });
});

describe("an object of more than 20,000 members", () => {
  const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(",");

  it("is refused with its place before it is parsed", () => {
    const parsing = vi.spyOn(JSON, "parse");
    const answer = refusal(`{"items":[{},{"a":{${members(20_001)}}}]}`);
    expect(parsing.mock.calls.filter(([text]) => text.length > 100)).toEqual([]);
    parsing.mockRestore();
    expect(answer).toMatchObject({
      code: "invalid_request",
      extras: { errors: [{ pointer: "/items/1/a", code: "too_big" }] },
    });
  });

  it("is refused; many objects with fewer members each are read", () => {
    expect(refusal(`{${members(20_001)}}`)).toMatchObject({
      code: "invalid_request",
      extras: { errors: [{ pointer: "" }] },
    });
    expect(Object.keys(parse(`{${members(20_000)}}`))).toHaveLength(20_000);
    expect(parse(`{"items":[{${members(15_000)}},{${members(15_000)}}]}`)).toHaveProperty("items.1.k14999", 1);
  });
});

describe("attributes", () => {
  it("keep every key that JSON can have through write, merge and read", async () => {
    const w = await world();
    const token = await w.key();
    const put = (attributes: string) =>
      call("PUT", "/v1/subjects", { token, raw: `{"externalId":"p","attributes":${attributes}}` });
    const made = await put('{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":"x"}');
    expect(made.status).toBe(201);
    expect(made.text).toContain('"__proto__":{"polluted":true}');
    await put('{"__proto__":{"more":[{"__proto__":1}]}}');
    const { id } = made.json<{ id: string }>();
    const read = await call("GET", `/v1/subjects/${id}`, { token });
    expect(read.text).toContain('"__proto__":{"more":[{"__proto__":1}],"polluted":true}');
    expect(read.text).toContain('"constructor":{"prototype":1}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("keep __proto__ in a credential's data and in a bulk of subjects", async () => {
    const w = await world();
    const token = await w.key();
    const template = await call("POST", "/v1/templates", {
      token,
      body: { name: "T", kind: "membership", publish: true },
    });
    const raw = `{"subject":{"externalId":"q"},"templateId":"${template.json<{ id: string }>().id}","data":{"__proto__":{"a":1}}}`;
    const issued = await call("POST", "/v1/credentials", { token, raw });
    expect([issued.status, issued.text]).toEqual([201, expect.stringContaining('"data":{"__proto__":{"a":1}}')]);
    const bulk = await call("POST", "/v1/subjects/bulk", {
      token,
      raw: '{"items":[{"externalId":"r","attributes":{"__proto__":5}}]}',
    });
    expect([bulk.status, bulk.text]).toEqual([200, expect.stringContaining('"attributes":{"__proto__":5}')]);
  });

  it("with a number that would be rounded are refused, and so is an unknown field called __proto__", async () => {
    const token = await (await world()).key();
    for (const number of ["9007199254740993", "1e400"]) {
      const answer = await call("PUT", "/v1/subjects", {
        token,
        raw: `{"externalId":"n","attributes":{"card":${number}}}`,
      });
      expect([answer.status, answer.json()]).toEqual([
        400,
        expect.objectContaining({
          code: "invalid_request",
          errors: [expect.objectContaining({ pointer: "/attributes/card" })],
        }),
      ]);
    }
    const unknown = await call("PUT", "/v1/subjects", {
      token,
      raw: '{"externalId":"n","__proto__":{"displayName":"x"}}',
    });
    expect([unknown.status, unknown.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: "/__proto__" })] }),
    ]);
  });
});
