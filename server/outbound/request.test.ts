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

test("the configured client reaches the operator's ranges and nothing else that is private", async () => {
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

test("it can be used again after it was closed", async () => {
  await closeOutbound();
  expect(checkOutboundUrl("http://127.0.0.1/")).toBeNull();
  expect(checkOutboundUrl("http://10.0.0.1/")).toContain("private or reserved");
});

test("a range that is none stops the start", () => {
  expect(() => parseEnv({ ...process.env, OUTBOUND_ALLOW_CIDRS: "10.0.0.0/8,10.1.2.3" })).toThrow(
    "OUTBOUND_ALLOW_CIDRS: must be CIDR ranges",
  );
});
