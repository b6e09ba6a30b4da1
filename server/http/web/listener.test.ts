import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { world } from "@/server/testing/world";
import { apiListener } from "./listener";

it("serves the API on node:http and leaves the global Request and Response classes in place", async () => {
  const platform = [globalThis.Request, globalThis.Response];
  const server = createServer(apiListener()).listen(0, "127.0.0.1");
  await once(server, "listening");
  expect([globalThis.Request, globalThis.Response]).toEqual(platform);

  const w = await world();
  const { code } = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = await fetch(`${origin}/public/credentials/${code}`);
  expect([found.status, found.headers.get("content-type"), await found.json()]).toMatchObject([
    200,
    "application/json",
    { result: "valid" },
  ]);
  const again = await fetch(`${origin}/public/credentials/${code}`, {
    headers: { "if-none-match": found.headers.get("etag")! },
  });
  expect([again.status, await again.text()]).toEqual([304, ""]);
  const missing = await fetch(`${origin}/public/credentials/nothing`);
  expect([
    missing.status,
    missing.headers.get("content-type"),
    missing.headers.get("access-control-allow-origin"),
  ]).toEqual([404, "application/problem+json", "*"]);
  const head = await fetch(`${origin}/public/credentials/${code}`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect((await fetch(`${origin}/public/credentials/%E0%A4%A`)).status).toBe(400);
  server.close();
  await once(server, "close");
});
