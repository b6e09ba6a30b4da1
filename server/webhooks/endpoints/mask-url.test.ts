import { beforeAll, expect, it } from "vitest";
import { roleScopes } from "@/server/access/roles";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { getWebhookEndpoint } from "./get";
import { maskUrl } from "./mask-url";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();

it.each([
  ["https://hooks.example.com/services/T0/B1/secret?key=y", "https://hooks.example.com/***?***"],
  ["https://hooks.example.com:8443/?token=y", "https://hooks.example.com:8443/?***"],
  ["http://127.0.0.1:9/hook", "http://127.0.0.1:9/***"],
  ["https://hooks.example.com/", "https://hooks.example.com/"],
])("maskUrl turns %s into %s", (url, shown) => {
  expect(maskUrl(url)).toBe(shown);
  expect(URL.canParse(shown)).toBe(true);
});

it("a caller with only webhooks:read sees no path or query of an endpoint's URL in any response", async () => {
  const s = stage();
  const { id, url } = await s.endpoint("/services/t0p-secret?token=s3cret");
  expect(url).toContain("/services/t0p-secret?token=s3cret");
  await s.happen();
  await s.send();
  const [delivery] = await s.deliveries(id);
  const [reader, writer] = [
    await s.world.key("webhooks:read", "events:read"),
    await s.world.key("webhooks:read", "webhooks:write"),
  ];
  const paths = [
    "/v1/webhook_endpoints",
    `/v1/webhook_endpoints/${id}`,
    `/v1/webhook_endpoints/${id}/deliveries`,
    `/v1/webhook_deliveries/${delivery!.id}/attempts`,
    `/v1/webhook_deliveries/${delivery!.id}`,
    "/v1/webhook_queue",
  ];
  for (const path of [...paths, "/v1/events"]) {
    const { status, text } = await call("GET", path, { token: reader });
    expect([path, status, /t0p-secret|s3cret/.test(text)]).toEqual([path, 200, false]);
  }
  for (const path of [paths[0]!, paths[1]!, paths[3]!])
    expect([
      path,
      (await call("GET", path, { token: writer })).text.includes("/services/t0p-secret?token=s3cret"),
    ]).toEqual([path, true]);
  expect((await call("GET", paths[1]!, { token: reader })).json()).toMatchObject({
    url: `${new URL(url).origin}/***?***`,
  });
  expect((await getWebhookEndpoint({ ...s.ctx, scopes: roleScopes.viewer }, { id })).url).not.toContain("t0p");
  expect((await getWebhookEndpoint({ ...s.ctx, scopes: roleScopes.admin }, { id })).url).toBe(url);
});

it("what If-Match compares of an endpoint's ETag is the same for callers with and without webhooks:write", async () => {
  const s = stage();
  const { id } = await s.endpoint("/hooks?token=1");
  const [reader, writer] = [await s.world.key("webhooks:read"), await s.world.key("webhooks:read", "webhooks:write")];
  const tagFor = async (token: string) =>
    (await call("GET", `/v1/webhook_endpoints/${id}`, { token })).headers.get("etag")!.split(".")[0];
  const before = await tagFor(reader);
  expect(await tagFor(writer)).toBe(before);
  await call("PATCH", `/v1/webhook_endpoints/${id}`, {
    token: writer,
    body: { url: s.listener.url("/hooks?token=2") },
  });
  expect(await tagFor(reader)).not.toBe(before);
});
