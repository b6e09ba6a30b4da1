import { expect, it } from "vitest";
import { env } from "@/server/core/env";
import { call } from "@/server/testing/request";
import { newCode } from "@/server/credentials/code";

// The front door counts pages (server/http/web/front-door.test.ts); call() does not go through it.
it("a public page does not count against the public API's limit of the address", async () => {
  const headers = { "x-forwarded-for": "198.51.100.77" };
  for (let n = 0; n < env().RATE_LIMIT_ADDRESS + 1; n++)
    expect((await call("GET", "/verify?code=", { headers })).status).toBeLessThan(429);
  expect((await call("GET", `/public/verify?code=${newCode()}`, { headers })).status).toBe(404);
});
