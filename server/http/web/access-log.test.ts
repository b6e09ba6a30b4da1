import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { logRequest } from "./access-log";
import { apiListener } from "./listener";

afterEach(() => vi.restoreAllMocks());

it("logs the request-id of a refusal, and of what a caller sent only the shape of the path", async () => {
  const api = apiListener();
  const server = createServer((request, response) => {
    logRequest(request, response);
    void api(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.spyOn(log(), "isLevelEnabled").mockReturnValue(true);
  const told = vi.spyOn(log(), "info").mockReturnValue(undefined);
  const answer = await fetch(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/subjects/ada?email=ada%40example.edu`,
    { headers: { authorization: "Bearer secret" } },
  );
  await vi.waitUntil(() => told.mock.calls.length > 0, 20_000);
  expect(told.mock.calls[0]![0]).toEqual({
    method: "GET",
    path: "/v1/subjects",
    status: 401,
    ms: expect.any(Number),
    requestId: answer.headers.get("request-id"),
  });
  server.close();
  await once(server, "close");
});

it.each([
  [
    "of a procedure, which Next writes",
    (response: ServerResponse) => response.setHeader("request-id", "req_own").writeHead(404).end(),
    "req_own",
  ],
  [
    "of a page, which brings none",
    (response: ServerResponse) => ((response.statusCode = 404), response.end("<html>")),
    expect.stringMatching(/^req_/),
  ],
])("logs the request-id %s", async (_, answer, requestId) => {
  const server = createServer((request, response) => {
    logRequest(request, response);
    answer(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.spyOn(log(), "isLevelEnabled").mockReturnValue(true);
  const told = vi.spyOn(log(), "info").mockReturnValue(undefined);
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/trpc/x`);
  await vi.waitUntil(() => told.mock.calls.length > 0, 20_000);
  expect(headers.get("request-id")).toEqual(requestId);
  expect(told.mock.calls[0]![0]).toMatchObject({ status: 404, requestId: headers.get("request-id") });
  server.close();
  await once(server, "close");
});

it("logs a slow request as a warning although it succeeded", async () => {
  const server = createServer((request, response) => {
    const now = vi.spyOn(performance, "now").mockReturnValueOnce(0).mockReturnValue(2_500);
    logRequest(request, response);
    response.once("finish", () => now.mockRestore()).end("in order");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.spyOn(log(), "isLevelEnabled").mockReturnValue(true);
  const told = vi.spyOn(log(), "warn").mockReturnValue(undefined);
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/public/verify`, { method: "POST" });
  await vi.waitUntil(() => told.mock.calls.length > 0, 20_000);
  expect(told.mock.calls[0]![0]).toMatchObject({ method: "POST", path: "/public/verify", status: 200, ms: 2_500 });
  server.close();
  await once(server, "close");
});

it("logs the 501 of /Me of SCIM as information", async () => {
  const server = createServer((request, response) => {
    logRequest(request, response);
    response.writeHead(501).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.spyOn(log(), "isLevelEnabled").mockReturnValue(true);
  const told = vi.spyOn(log(), "info").mockReturnValue(undefined);
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/scim/v2/Me`);
  await vi.waitUntil(() => told.mock.calls.length > 0, 20_000);
  expect(told.mock.calls[0]![0]).toMatchObject({ status: 501 });
  server.close();
  await once(server, "close");
});
