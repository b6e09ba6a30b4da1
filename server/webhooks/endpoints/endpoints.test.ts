import { describe, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "./create";
import { getWebhookEndpoint } from "./get";
import { updateWebhookEndpoint } from "./update";

const body = {
  url: "https://example.edu/hooks",
  description: "Student system",
  eventTypes: ["credential.*", "subject.deactivated", "credential.*"],
};
const endpointEvents = async (w: World) =>
  (await eventsOf(w.orgId)).filter((e) => e.type.startsWith("webhook.endpoint."));

describe("/v1/webhook_endpoints", () => {
  it("POST registers an endpoint and shows its secret only in that response", async () => {
    const w = await world();
    const token = await w.key("webhooks:read", "webhooks:write");
    const created = await call("POST", "/v1/webhook_endpoints", { token, body });
    expect(created.status).toBe(201);
    expect(created.json()).toMatchObject({
      object: "webhook_endpoint",
      url: body.url,
      eventTypes: ["credential.*", "subject.deactivated"],
      status: "active",
    });
    const { id, secret } = created.json<{ id: string; secret: string }>();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const path of [`/v1/webhook_endpoints/${id}`, "/v1/webhook_endpoints"]) {
      const { status, text } = await call("GET", path, { token });
      expect([status, text.includes(id), text.includes('secret"')]).toEqual([200, true, false]);
    }
    const [event] = await endpointEvents(w);
    expect([event!.type, JSON.stringify(event).includes("whsec_")]).toEqual(["webhook.endpoint.created", false]);
  });

  it("stores the URL as it is requested: percent-encoded, with the host in lower case", async () => {
    const w = await world();
    const { id, url } = await createWebhookEndpoint(w.ctx, {
      url: `  https://EXAMPLE.edu:443/a/../ü"${"漢".repeat(200)}?q=é  `,
    });
    expect(url).toBe(`https://example.edu/%C3%BC%22${"%E6%BC%A2".repeat(200)}?q=%C3%A9`);
    expect((await updateWebhookEndpoint(w.ctx, { id, url: "https://bücher.example.edu" })).url).toBe(
      "https://xn--bcher-kva.example.edu/",
    );
  });

  it("an endpoint stored before the limit on URLs can be changed, disabled and deleted although its URL is too long for an event", async () => {
    const w = await world();
    const token = await w.key("webhooks:read", "webhooks:write");
    const { id } = await createWebhookEndpoint(w.ctx, body);
    const url = `https://example.edu/${"漢".repeat(1900)}`;
    await sql(`UPDATE webhook_endpoints SET url = $2 WHERE id = $1`, [id, url]);
    const path = `/v1/webhook_endpoints/${id}`;
    const answers = [
      await call("PATCH", path, { token, body: { description: "Renamed" } }),
      await call("POST", `${path}/disable`, { token }),
      await call("PATCH", path, { token, body: { url: body.url } }),
      await call("DELETE", path, { token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 204]);
    expect([answers[1]!.json<{ url: string }>().url, answers[2]!.json<{ url: string }>().url]).toEqual([url, body.url]);
    const told = (await endpointEvents(w)).map((e) => [e.type, String(e.data.object.url).length]);
    const masked = "https://example.edu/***".length;
    expect(told.slice(1)).toEqual([
      ["webhook.endpoint.updated", masked],
      ["webhook.endpoint.disabled", masked],
      ["webhook.endpoint.updated", masked],
      ["webhook.endpoint.deleted", masked],
    ]);
  });

  it("events mask the path and query of the URL, which may hold a token, and still show that the URL changed", async () => {
    const w = await world();
    const { id, url } = await createWebhookEndpoint(w.ctx, { url: "https://example.edu/hooks?token=first" });
    expect(url).toBe("https://example.edu/hooks?token=first");
    await updateWebhookEndpoint(w.ctx, { id, url: "https://example.edu/hooks?token=second" });
    await updateWebhookEndpoint(w.ctx, { id, url: "https://example.edu/hooks?token=second" });
    expect((await getWebhookEndpoint(w.ctx, { id })).url).toBe("https://example.edu/hooks?token=second");
    const events = await endpointEvents(w);
    expect(events.map((e) => [e.type, e.data.previous])).toEqual([
      ["webhook.endpoint.created", undefined],
      ["webhook.endpoint.updated", { url: "https://example.edu/***?***" }],
    ]);
    expect(JSON.stringify(events)).not.toContain("token");
  });

  it("secrets and header values are stored encrypted", async () => {
    const w = await world();
    const { id, secret } = await createWebhookEndpoint(w.ctx, {
      url: body.url,
      headers: { Authorization: "Bearer of-the-customer" },
    });
    const [row] = await sql<{ text: string }>(
      `SELECT encode(secret, 'escape') || encode(headers, 'escape') || (to_jsonb(e) - 'secret' - 'headers')::text AS text FROM webhook_endpoints e WHERE id = $1`,
      [id],
    );
    expect([
      row!.text.includes(secret),
      row!.text.includes(secret.slice(6)),
      row!.text.includes("of-the-customer"),
    ]).toEqual([false, false, false]);
  });

  it("a repeated Idempotency-Key returns the same secret and registers once", async () => {
    const w = await world();
    const token = await w.key("webhooks:write");
    const post = () =>
      call("POST", "/v1/webhook_endpoints", { token, body, headers: { "idempotency-key": "register-1" } });
    const [first, second] = [await post(), await post()];
    expect(second.text).toBe(first.text);
    expect(await endpointEvents(w)).toHaveLength(1);
  });

  it.each([
    ["an unknown type", { eventTypes: ["credential.lost"] }, "/eventTypes/0"],
    ["an unknown family", { eventTypes: ["subject.created", "cred.*"] }, "/eventTypes/1"],
    ["a pattern of everything", { eventTypes: ["*"] }, "/eventTypes/0"],
    ["a private address", { url: "https://10.0.0.1/hooks" }, "/url"],
    ["a metadata address", { url: "http://169.254.169.254/latest" }, "/url"],
    ["no URL", { url: "hooks" }, "/url"],
    ["a URL with a line break", { url: "https://exa\nmple.edu/" }, "/url"],
    ["a URL with a tab", { url: "https://example.edu/\tx" }, "/url"],
    ["a URL that is too long once it is encoded", { url: `https://example.edu/${"漢".repeat(221)}` }, "/url"],
    ["another scheme", { url: "ftp://example.edu/" }, "/url"],
    ["a header of ours", { headers: { "svc-signature": "x" } }, "/headers"],
    ["a header that breaks the line", { headers: { "x-a": "b\r\nx-c: d" } }, "/headers"],
    [
      "too many headers",
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, "v"])) },
      "/headers",
    ],
    ["a rate of nothing", { rateLimit: 0 }, "/rateLimit"],
    ["a field that is not there", { secret: "whsec_mine" }, "/secret"],
  ])("refuses %s", async (_, wrong, pointer) => {
    const token = await (await world()).key("webhooks:write");
    const answer = await call("POST", "/v1/webhook_endpoints", { token, body: { ...body, ...wrong } });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      pointer,
    ]);
  });

  it("PATCH emits an event with the previous values, and none if nothing changed", async () => {
    const w = await world();
    const { id } = await createWebhookEndpoint(w.ctx, { ...body, headers: { "X-One": "1", "X-Two": "2" } });
    const changed = await updateWebhookEndpoint(w.ctx, {
      id,
      eventTypes: [],
      rateLimit: 5,
      headers: { "x-two": null, "X-Three": "3" },
    });
    expect(changed).toMatchObject({
      eventTypes: [],
      rateLimit: 5,
      headerNames: ["x-one", "x-three"],
      description: body.description,
    });
    await updateWebhookEndpoint(w.ctx, { id, eventTypes: [], headers: { "x-three": "3" } });
    const events = await endpointEvents(w);
    expect(events.map((e) => e.type)).toEqual(["webhook.endpoint.created", "webhook.endpoint.updated"]);
    expect(events[1]!.data.previous).toEqual({
      eventTypes: ["credential.*", "subject.deactivated"],
      rateLimit: null,
      headerNames: ["x-one", "x-two"],
    });
  });

  it("a deleted endpoint answers 404 and its secret is erased", async () => {
    const w = await world();
    const token = await w.key("webhooks:read", "webhooks:write");
    const { id } = await createWebhookEndpoint(w.ctx, body);
    expect((await call("DELETE", `/v1/webhook_endpoints/${id}`, { token })).status).toBe(204);
    expect((await call("GET", `/v1/webhook_endpoints/${id}`, { token })).status).toBe(404);
    expect((await call("DELETE", `/v1/webhook_endpoints/${id}`, { token })).status).toBe(404);
    expect((await sql(`SELECT 1 FROM webhook_endpoints WHERE id = $1 AND length(secret) > 0`, [id])).length).toBe(0);
    expect((await endpointEvents(w)).at(-1)!.type).toBe("webhook.endpoint.deleted");
  });
});
