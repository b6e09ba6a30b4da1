import { describe, expect, it, vi } from "vitest";
import { createGroup } from "@/server/groups/create";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { bulkValues, refuseManyValues, usualValues } from "./bounded-values";

const deepest = `${"[".repeat(60)}${"]".repeat(60)}`;
const lists = (bytes: number) =>
  `[${Array(Math.floor(bytes / 121))
    .fill(deepest)
    .join(",")}]`;
const mebibyte = 1024 * 1024;

/** Sends the request, and returns its response and whether its body was parsed. */
async function refused(path: string, raw: string, token?: string) {
  const parsing = vi.spyOn(JSON, "parse");
  const { status, json } = await call("POST", path, { raw, headers: { "content-type": "application/json" }, token });
  const parsed = parsing.mock.calls.some(([text]) => text.length > 100_000);
  parsing.mockRestore();
  return { status, parsed, ...json<{ code: string; detail: string }>() };
}

describe("a body of more JSON values than are read", () => {
  it.each([
    ["objects, lists, texts, numbers, booleans and nulls", '{"k":[{},[],"a,]:",-1.5e+3,true,false,null]}', 9],
    ["texts with escapes", String.raw`["\"","\\",{"\":":"\\\""}]`, 5],
    ["nothing but the outermost", " [ ] ", 1],
  ])("is refused exactly when it has one value too many: %s", (_, json, values) => {
    // Short bodies are not counted, so pad the JSON with spaces.
    const bytes = Buffer.from(json.padEnd(100));
    expect(() => refuseManyValues(bytes, values)).not.toThrow();
    expect(() => refuseManyValues(bytes, values - 1)).toThrow(
      expect.objectContaining({ code: "payload_too_large", message: expect.stringContaining(String(values - 1)) }),
    );
  });

  it("is refused before it is parsed by public verification", async () => {
    expect(await refused("/public/verify", `{"credential":{"a":${lists(mebibyte - 100)}}}`)).toMatchObject({
      status: 413,
      parsed: false,
      code: "payload_too_large",
      detail: expect.stringContaining("10,001 JSON values"),
    });
  });

  it("is refused before it is parsed by each operation, with the operation's own limit", async () => {
    const { ctx, key } = await world();
    const token = await key();
    const group = await createGroup(ctx, { name: "G" });
    for (const [path, body, bound] of [
      ["/v1/verify", `{"credential":{"a":${lists(mebibyte - 100)}}}`, 10_001],
      [`/v1/groups/${group.id}/members`, `{"subjectIds":${lists(9.9 * mebibyte)}}`, 20_000],
      [`/v1/groups/${group.id}/members/remove`, `{"subjectIds":${lists(9.9 * mebibyte)}}`, 20_000],
      ["/v1/groups", `{"name":${lists(mebibyte - 100)}}`, usualValues],
      ["/v1/subjects/bulk", `{"items":${lists(9.9 * mebibyte)}}`, bulkValues],
      // The bad number in the first row would make the parser read rows one by one, which must not happen with so many.
      ["/v1/credentials/bulk", `{"items":[{"a":1e400},${lists(9.9 * mebibyte).slice(1)}}`, bulkValues],
    ] as const)
      expect([path, await refused(path, body, token)]).toEqual([
        path,
        expect.objectContaining({
          status: 413,
          parsed: false,
          detail: expect.stringContaining(`more than ${bound.toLocaleString("en")} JSON values`),
        }),
      ]);
  });

  it("is read if it is within the limit: attributes of 64 KiB, and 10,000 members", async () => {
    const { ctx, key } = await world();
    const token = await key();
    const attributes = { a: Array(32_000).fill(1) };
    const { status } = await call("PUT", "/v1/subjects", { token, body: { externalId: "s-1", attributes } });
    expect(status).toBe(201);
    const group = await createGroup(ctx, { name: "G" });
    const many = await call("POST", `/v1/groups/${group.id}/members`, {
      token,
      body: { externalIds: Array.from({ length: 10_000 }, (_, i) => `nobody-${i}`) },
    });
    expect(many.status).toBe(200);
  });
});
