import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it } from "vitest";
import { getEvent } from "@/server/events/get";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { writingEvents } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { getWebhookDelivery } from "./get-delivery";
import { listWebhookDeliveries } from "./list-deliveries";
import { resendWebhookDeliveries, resendWebhookDelivery } from "./resend";
import { steps } from "./schedule";
import { useStage } from "@/server/webhooks/testing/stage";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";

beforeAll(ownDatabase);
const stage = useStage();

describe("a delivery", () => {
  it("carries the event as it is in the log, signed, with the headers of the contract and the endpoint's own", async () => {
    const s = stage();
    const { id, secret } = await s.endpoint("/hooks", { headers: { "X-Tenant": "blue" } });
    await s.happen();
    await s.send();
    const [request] = s.listener.to("/hooks");
    const [delivery] = await s.deliveries(id);
    expect(new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)).toEqual(
      await getEvent(s.ctx, { id: delivery!.eventId }),
    );
    expect(request!.headers).toMatchObject({
      "content-type": "application/json",
      "svc-event-id": delivery!.eventId,
      "svc-event-type": "subject.created",
      "svc-delivery-id": delivery!.id,
      "svc-attempt": "1",
      "webhook-id": delivery!.eventId,
      "x-tenant": "blue",
    });
    expect(delivery).toMatchObject({
      status: "succeeded",
      attemptCount: 1,
      lastStatusCode: 204,
      lastErrorClass: null,
      nextAttemptAt: null,
      completedAt: expect.any(String),
    });
    expect((await getWebhookDelivery(s.ctx, { id: delivery!.id })).body).toBe(request!.body);
  });

  it("goes to the endpoints with a pattern that matches its type; credential.* matches credential.channel.installed", async () => {
    const s = stage();
    await s.endpoint("/all", { eventTypes: [] });
    await s.endpoint("/subject", { eventTypes: ["subject.*"] });
    await s.endpoint("/created", { eventTypes: ["subject.created", "group.*"] });
    await s.endpoint("/other", { eventTypes: ["credential.*"] });
    await s.happen();
    await sql(
      writingEvents(
        `SELECT $1::uuid AS org_id, uuidv7() AS id, type, uuidv7() AS resource_id, '{"id":"evt_later"' AS body FROM unnest($2::text[]) AS type`,
      ),
      [s.world.orgId, ["credential.channel.installed", "subject.merged"]],
    );
    await s.sequence();
    await s.send();
    const types = (path: string) =>
      s.listener
        .to(path)
        .map((r) => String(r.headers["svc-event-type"]))
        .filter((type) => !type.startsWith("webhook."))
        .sort();
    expect(types("/all")).toEqual(["credential.channel.installed", "subject.created", "subject.merged"]);
    expect(types("/subject")).toEqual(["subject.created", "subject.merged"]);
    expect(types("/created")).toEqual(["subject.created"]);
    expect(types("/other")).toEqual(["credential.channel.installed"]);
  });

  it("is not sent to an endpoint of another organisation", async () => {
    const s = stage();
    await s.endpoint("/mine", { eventTypes: [] });
    await createWebhookEndpoint((await world()).ctx, { url: s.listener.url("/theirs"), eventTypes: ["subject.*"] });
    await s.happen();
    await s.send();
    expect(s.listener.to("/mine").length).toBeGreaterThan(0);
    expect(s.listener.to("/theirs")).toEqual([]);
  });

  it("is retried with the same bytes at each step of the schedule, with 20 % jitter, and then fails", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(500).end("try later");
    const { id } = await s.endpoint();
    await s.happen();
    for (const step of steps) {
      await s.send();
      const [delivery] = await s.deliveries(id);
      const wait = Date.parse(delivery!.nextAttemptAt!) - s.now.getTime();
      expect([delivery!.status, wait >= 0.8 * step, wait <= 1.2 * step]).toEqual(["pending", true, true]);
      const before = s.listener.received.length;
      s.advance(wait - 1);
      await s.send();
      expect(s.listener.received.length).toBe(before);
      s.advance(1);
    }
    await s.send();
    const [delivery] = await s.deliveries(id);
    expect(delivery).toMatchObject({
      status: "failed",
      attemptCount: 10,
      nextAttemptAt: null,
      lastStatusCode: 500,
      lastErrorClass: "http",
    });
    const requests = s.listener.to("/hooks");
    expect(requests.map((r) => r.headers["svc-attempt"])).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    expect(new Set(requests.map((r) => r.body)).size).toBe(1);
    expect(new Set(requests.map((r) => r.headers["svc-signature"])).size).toBe(10);
    expect((await s.attempts(delivery!.id)).map((a) => [a.number, a.statusCode, a.errorClass, a.responseBody])).toEqual(
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((number) => [number, 500, "http", "try later"]),
    );
  });

  it("succeeds at the next attempt if the receiver has recovered", async () => {
    const s = stage();
    s.listener.answer = (request, response) =>
      response.writeHead(request.headers["svc-attempt"] === "1" ? 503 : 200).end();
    const { id } = await s.endpoint();
    await s.happen();
    await s.send();
    s.advance(6000);
    await s.send();
    expect((await s.deliveries(id))[0]).toMatchObject({ status: "succeeded", attemptCount: 2 });
  });

  it.each([
    ["a longer wait than the step, up to twice of it", "8", 8000, 8000],
    ["a wait beyond twice the step", "3600", 10_000, 10_000],
    ["a shorter wait", "1", 4000, 6000],
    ["nonsense", "soon", 4000, 6000],
  ])("heeds Retry-After: %s", async (_, value, atLeast, atMost) => {
    const s = stage();
    s.listener.answer = (__, response) => response.writeHead(429, { "retry-after": value }).end();
    const { id } = await s.endpoint();
    await s.happen();
    await s.send();
    const wait = Date.parse((await s.deliveries(id))[0]!.nextAttemptAt!) - s.now.getTime();
    expect([wait >= atLeast, wait <= atMost, wait]).toEqual([true, true, wait]);
  });

  it("follows no redirect and is recorded with the error class redirect", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(307, { location: s.listener.url("/elsewhere") }).end();
    const { id } = await s.endpoint();
    await s.happen();
    await s.send();
    expect(s.listener.to("/elsewhere")).toEqual([]);
    expect((await s.deliveries(id))[0]).toMatchObject({
      status: "pending",
      lastStatusCode: 307,
      lastErrorClass: "redirect",
    });
  });

  it("keeps 16 KB of the response, as text that PostgreSQL can store", async () => {
    const s = stage();
    s.listener.answer = (_, response) =>
      response.writeHead(200, { "x-of-theirs": "yes" }).end(`a\0b${"é".repeat(20_000)}`);
    const { id } = await s.endpoint("/hooks", { headers: { Authorization: "Bearer theirs" } });
    await s.happen();
    await s.send();
    const [attempt] = await s.attempts((await s.deliveries(id))[0]!.id);
    expect(attempt).toMatchObject({
      statusCode: 200,
      errorClass: null,
      responseTruncated: true,
      url: s.listener.url(),
      address: "127.0.0.1",
      trigger: "event",
      responseHeaders: { "x-of-theirs": "yes" },
      requestHeaders: { authorization: "…", "svc-attempt": "1" },
    });
    expect(attempt!.responseBody!.startsWith("a\uFFFDbéé")).toBe(true);
    expect(Math.abs(Buffer.byteLength(attempt!.responseBody!) - 16 * 1024)).toBeLessThan(4);
  });

  it("explains why there was no response", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await s.listener.close();
    await s.send();
    const [delivery] = await s.deliveries(id);
    const [attempt] = await s.attempts(delivery!.id);
    expect([delivery!.lastErrorClass, attempt!.errorClass, attempt!.errorDetail, attempt!.statusCode]).toEqual([
      "connect",
      "connect",
      "The server refused the connection.",
      null,
    ]);
  });

  it("goes to the URL that its endpoint has when it is sent", async () => {
    const s = stage();
    const { id } = await s.endpoint("/old");
    await s.happen();
    await updateWebhookEndpoint(s.ctx, { id, url: s.listener.url("/new") });
    await s.send();
    expect([s.listener.to("/old").length, s.listener.to("/new").length]).toEqual([0, 1]);
  });
});

describe("resending a delivery", () => {
  it("sends a delivered one again at once with the same bytes and restarts its schedule of retries", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await s.send();
    const [delivery] = await s.deliveries(id);
    s.listener.answer = (_, response) => response.writeHead(500).end();
    expect(await resendWebhookDelivery(s.ctx, { id: delivery!.id })).toMatchObject({
      status: "pending",
      trigger: "resend",
    });
    await s.send();
    const requests = s.listener.to("/hooks");
    expect([requests.length, requests[0]!.body === requests[1]!.body, requests[1]!.headers["svc-attempt"]]).toEqual([
      2,
      true,
      "2",
    ]);
    const wait = Date.parse((await s.deliveries(id))[0]!.nextAttemptAt!) - s.now.getTime();
    expect(wait).toBeLessThanOrEqual(6000);
    expect((await s.attempts(delivery!.id)).map((a) => a.trigger)).toEqual(["resend", "event"]);
  });

  it("answers 410 if the event has expired", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await s.send();
    await sql(`DELETE FROM events WHERE org_id = $1`, [s.world.orgId]);
    const [delivery] = await s.deliveries(id);
    const answer = await call("POST", `/v1/webhook_deliveries/${delivery!.id}/resend`, {
      token: await s.world.key("webhooks:write"),
    });
    expect([answer.status, answer.json()["code"], String(answer.json()["detail"]).includes("expired")]).toEqual([
      410,
      "event_expired",
      true,
    ]);
  });

  it("takes many ids at once and skips those that cannot be sent, with the reason", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(3);
    await s.send();
    const ids = (await s.deliveries(id)).map((d) => d.id);
    const unknown = "dlv_00000000000000000000000000";
    expect(await resendWebhookDeliveries(s.ctx, { ids: [...ids, unknown] })).toEqual({
      object: "webhook_resend",
      requested: 4,
      queued: 3,
      skipped: [
        { id: unknown, code: "not_found", detail: `There is no webhook delivery "${unknown}" in this organisation.` },
      ],
    });
    await s.send();
    expect(s.listener.to("/hooks")).toHaveLength(6);
    await sql(`DELETE FROM events WHERE org_id = $1 AND id = $2`, [
      s.world.orgId,
      (await s.deliveries(id))[0]!.eventId,
    ]);
    expect((await resendWebhookDeliveries(s.ctx, { ids })).skipped).toEqual([
      { id: ids[0], code: "event_expired", detail: expect.stringContaining("expired") },
    ]);
  });
});

describe("the list of deliveries", () => {
  it("is filtered by status, type, event, endpoint and time", async () => {
    const s = stage();
    const good = await s.endpoint("/good");
    const bad = await s.endpoint("/bad");
    s.listener.answer = (request, response) => response.writeHead(request.path === "/bad" ? 500 : 200).end();
    await s.happen(2);
    await s.send();
    const found = async (filter: Parameters<typeof listWebhookDeliveries>[1]) =>
      (await listWebhookDeliveries(s.ctx, filter)).data.map((d) => d.endpointId);
    expect(await found({ status: "succeeded" })).toEqual([good.id, good.id]);
    expect(await found({ status: "pending" })).toEqual([bad.id, bad.id]);
    expect(await found({ status: "failed" })).toEqual([]);
    expect(await found({ endpointId: bad.id, type: "credential.*,subject.created" })).toEqual([bad.id, bad.id]);
    expect(await found({ type: "credential.*" })).toEqual([]);
    const [one] = await s.deliveries(good.id);
    expect((await found({ eventId: one!.eventId })).sort()).toEqual([good.id, bad.id].sort());
    expect(await found({ createdBefore: new Date(s.now.getTime() - 1000).toISOString() })).toEqual([]);
  });
});
