import { describe, expect, it } from "vitest";
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
  it.each(["0", "-0", "7", "-12", "9007199254740991", "-9007199254740991", "0.1", "1.50", "1e2", "1.0E+2", "123456.789e-3", "5e-324", "0e999", "3.141592653589793"])(
    "%s is read as it is",
    (number) => {
      expect(parse(`{"a":[${number}]}`)).toEqual({ a: [Number(number)] });
    },
  );

  it.each([
    "9007199254740992", "-9007199254740993", "12345678901234567890", "1e16", "1e400", "-1e400", "0.12345678901234567890", "3.14159265358979323846", "1e-400",
    "1000000000000000000000.5", `1${"0".repeat(400)}`,
  ])("%s is refused, with the place and the remedy", (number) => {
    expect(refusal(`{"items":[{"ü~/":{"deep":[1,"}",${number}]}}]}`)).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("send it as a string"),
      extras: { errors: [{ pointer: "/items/0/ü~0~1/deep/2", code: "inexact_number" }] },
    });
  });

  it("in strings are text", () => {
    expect(parse('{"a":"9007199254740993","b\\"9007199254740993":1}')).toEqual({ a: "9007199254740993", 'b"9007199254740993': 1 });
  });
});

describe("keys", () => {
  it.each([
    ['{"a":1,"a":2}', "/a"],
    ['{"x":[{"a":1},{"b":{"c":1,"d":":","c":1}}]}', "/x/1/b/c"],
    ['{"a":1,"\\u0061":1}', "/a"],
    ['{"__proto__":1,"__proto__":1}', "/__proto__"],
  ])("that stand twice are refused: %s", (text, pointer) => {
    expect(refusal(text)).toMatchObject({ code: "invalid_request", extras: { errors: [{ pointer, code: "repeated" }] } });
  });

  it("may stand once in each of several objects", () => {
    expect(parse('{"a":{"a":[{"a":":"},{"a":"a:b"}]}}')).toEqual({ a: { a: [{ a: ":" }, { a: "a:b" }] } });
  });

  it("may be __proto__", () => {
    expect(JSON.stringify(parse('{"__proto__":{"a":1},"constructor":2}'))).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});

it("depth is bounded before anything is parsed", () => {
  expect(refusal(`{"a":${"[".repeat(100_000)}`)).toMatchObject({ code: "malformed_json", message: expect.stringContaining("64 levels") });
  expect(parse(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`)).toBeDefined();
});

describe("attributes", () => {
  it("keep every key that JSON can have, through write, merge and read", async () => {
    const w = await world();
    const token = await w.key();
    const put = (attributes: string) => call("PUT", "/v1/subjects", { token, raw: `{"externalId":"p","attributes":${attributes}}` });
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
    const template = await call("POST", "/v1/templates", { token, body: { name: "T", kind: "membership", publish: true } });
    const raw = `{"subject":{"externalId":"q"},"templateId":"${template.json<{ id: string }>().id}","data":{"__proto__":{"a":1}}}`;
    const issued = await call("POST", "/v1/credentials", { token, raw });
    expect([issued.status, issued.text]).toEqual([201, expect.stringContaining('"data":{"__proto__":{"a":1}}')]);
    const bulk = await call("POST", "/v1/subjects/bulk", { token, raw: '{"items":[{"externalId":"r","attributes":{"__proto__":5}}]}' });
    expect([bulk.status, bulk.text]).toEqual([200, expect.stringContaining('"attributes":{"__proto__":5}')]);
  });

  it("refuse a number that would be rounded, and an unknown field called __proto__", async () => {
    const token = await (await world()).key();
    for (const number of ["9007199254740993", "1e400"]) {
      const answer = await call("PUT", "/v1/subjects", { token, raw: `{"externalId":"n","attributes":{"card":${number}}}` });
      expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ code: "invalid_request", errors: [expect.objectContaining({ pointer: "/attributes/card" })] })]);
    }
    const unknown = await call("PUT", "/v1/subjects", { token, raw: '{"externalId":"n","__proto__":{"displayName":"x"}}' });
    expect([unknown.status, unknown.json()]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ pointer: "/__proto__" })] })]);
  });
});
