import { afterEach, expect, test, vi } from "vitest";
import { parseEnv } from "@/server/core/env";
import { checkOutboundUrl, closeOutbound, outboundRequest } from "./request";
import { listenHttp } from "./testing/listener";

vi.stubEnv("DATABASE_URL", "postgresql://127.0.0.1/unused");
vi.stubEnv("BONAFIDE_SECRET", "a".repeat(32));
vi.stubEnv("PUBLIC_URL", "https://bonafide.example");
vi.stubEnv("OUTBOUND_ALLOW_CIDRS", "127.0.0.1/32");
vi.stubEnv("OUTBOUND_ALLOW_HTTP", "");
vi.stubEnv("NODE_ENV", "test");

afterEach(() => closeOutbound());

test("the configured client reaches only those private addresses that are in the operator's ranges", async () => {
  const listener = await listenHttp((_, response) => response.end());
  const request = { maxResponseBytes: 1, method: "POST" as const };
  expect(await outboundRequest({ ...request, url: `http://localhost:${listener.port}/` })).toMatchObject({
    ok: true,
    address: "127.0.0.1",
  });
  expect(await outboundRequest({ ...request, url: "http://127.0.0.2/" })).toMatchObject({
    errorClass: "blocked_address",
  });
  await listener.close();
});

test("the configured client can be used again after closeOutbound", async () => {
  await closeOutbound();
  expect(checkOutboundUrl("http://127.0.0.1/")).toBeNull();
  expect(checkOutboundUrl("http://10.0.0.1/")).toContain("private or reserved");
});

test("an invalid range in OUTBOUND_ALLOW_CIDRS stops the start", () => {
  expect(() => parseEnv({ ...process.env, OUTBOUND_ALLOW_CIDRS: "10.0.0.0/8,10.1.2.3" })).toThrow(
    "OUTBOUND_ALLOW_CIDRS: must be CIDR ranges",
  );
});
