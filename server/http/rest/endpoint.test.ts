import { beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "@/server/core/context";
import { notFound } from "@/server/core/errors";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { admitBearer } from "./bearer";
import { endpoint, type Dialect, type Endpoint, type Reply } from "./endpoint";
import { asDomainError } from "./problem";
import { respondJson } from "./respond";

/** A dialect like SCIM's (RFC 7644 section 3.12). */
const scim: Dialect<Ctx> = {
  headers: { "x-dialect": "scim" },
  admit: admitBearer,
  refuse(error, requestId) {
    const { status, message, extras } = asDomainError(error, requestId);
    return respondJson(
      { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: String(status), detail: message },
      { status, headers: { ...extras.headers, "content-type": "application/scim+json" } },
    );
  },
};

let token: string;
beforeAll(async () => {
  token = await (await world()).key();
});

const ask = (
  handler: Endpoint,
  { authorization = `Bearer ${token}`, path = "/scim/v2/Users" }: { authorization?: string; path?: string } = {},
) => handler(new Request(`http://localhost${path}`, { headers: { authorization } }));
const answering = (reply: Partial<Reply>) =>
  endpoint(scim, async () => ({ status: 200, body: null, headers: {}, ...reply }));

describe("an endpoint with its own dialect", () => {
  it.each<[string, number, () => Promise<Response>]>([
    ["a wrong token", 401, () => ask(answering({}), { authorization: "Bearer nonsense" })],
    ["a malformed address", 400, () => ask(answering({}), { path: "/scim/v2/%E0" })],
    ["what the work throws", 404, () => ask(endpoint(scim, async () => Promise.reject(notFound("user", "1"))))],
    [
      "what nobody expected",
      500,
      () => ask(endpoint(scim, async () => Promise.reject(new TypeError("x is not a function")))),
    ],
  ])("refuses %s in the dialect's format, with the dialect's headers", async (_, status, send) => {
    const answer = await send();
    const body = (await answer.json()) as { status: string; detail: string };
    expect([answer.status, answer.headers.get("content-type"), body.status]).toEqual([
      status,
      "application/scim+json",
      String(status),
    ]);
    expect(body.detail).not.toContain("not a function");
    expect([
      answer.headers.get("x-dialect"),
      answer.headers.get("request-id"),
      answer.headers.get("x-content-type-options"),
    ]).toEqual(["scim", expect.stringMatching(/^req_/), "nosniff"]);
  });

  it("counts the request against its caller's limit", async () => {
    const answer = await ask(answering({}));
    expect([answer.headers.get("ratelimit-policy"), answer.headers.get("ratelimit")]).toEqual([
      expect.stringContaining("token"),
      expect.any(String),
    ]);
  });

  it("answers with text, bytes, a stream or nothing", async () => {
    const bytes = new Uint8Array([0, 255, 128]);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const read = async (reply: Partial<Reply>) => [
      ...new Uint8Array(await (await ask(answering(reply))).arrayBuffer()),
    ];
    expect(await read({ body: "é" })).toEqual([0xc3, 0xa9]);
    expect(await read({ body: bytes })).toEqual([0, 255, 128]);
    expect(await read({ body: stream })).toEqual([0, 255, 128, 0, 255, 128]);
    expect(await read({ status: 204 })).toEqual([]);
  });
});

it.each([
  ["REST", "GET", "/v1/me", "application/problem+json", { code: "unauthenticated" }],
  ["public", "GET", "/public/credentials/0000-0000-0000-0000", "application/problem+json", { code: "not_found" }],
  ["OAuth", "POST", "/oauth/token", "application/json", { error: "invalid_request" }],
])("%s refuses in its own format through the same wrapper", async (_, method, path, type, body) => {
  const answer = await call(method, path);
  expect([answer.headers.get("content-type"), answer.json()]).toEqual([type, expect.objectContaining(body)]);
  expect(answer.headers.get("request-id")).toMatch(/^req_/);
});
