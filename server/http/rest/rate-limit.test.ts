import { beforeAll, describe, expect, it } from "vitest";
import { newApiKey } from "@/server/access/token-format";
import { env } from "@/server/core/env";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";

let token: string;
beforeAll(async () => {
  token = await (await world()).key();
});

const from = (address: string, shown?: string) =>
  call("GET", "/v1/templates", {
    ...(shown !== undefined && { token: shown }),
    headers: { "x-forwarded-for": address },
  });

/** Uses up the address's limit per minute, with tokens whose checksum is wrong. */
async function exhaust(address: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (let n = 0; n < env().RATE_LIMIT_ADDRESS; n++) statuses.add((await from(address, "svc_sk_live_wrong")).status);
  return [...statuses];
}

describe("failed authentication", () => {
  it("is limited by address, whatever is wrong with the token, while a valid token from the address is served", async () => {
    const first = await from("192.0.2.1");
    expect(first.headers.get("ratelimit")).toMatch(/^"address";r=599;t=\d+$/);
    await exhaust("192.0.2.1");
    for (const wrong of [undefined, "svc_sk_live_wrong", newApiKey()]) {
      const refused = await from("192.0.2.1", wrong);
      expect(refused.status).toBe(429);
      expect(refused.json()).toMatchObject({ code: "rate_limited" });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const served = await from("192.0.2.1", token);
    expect(served.status).toBe(200);
    expect(served.headers.get("ratelimit")).toMatch(/^"token"/);
    expect((await from("192.0.2.2")).status).toBe(401);
  });

  it("counts the addresses of one /64 together, and both spellings of an IPv4 address", async () => {
    expect(await exhaust("2001:db8:0:1::1")).toEqual([401]);
    expect((await from("2001:db8::1:ffff:0:0:2")).status).toBe(429);
    expect((await from("2001:db8:0:2::1")).status).toBe(401);
    await exhaust("192.0.2.3");
    expect((await from("::ffff:192.0.2.3")).status).toBe(429);
  });
});
