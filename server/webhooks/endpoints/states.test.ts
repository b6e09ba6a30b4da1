import { beforeAll, describe, expect, it } from "vitest";
import { transaction } from "@/server/core/transaction";
import { newId, readId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { attemptDelivery } from "@/server/webhooks/dispatch/attempt";
import { claimDeliveries } from "@/server/webhooks/dispatch/claim";
import { deleteWebhookEndpoint } from "./delete";
import { disableWebhookEndpoint } from "./disable";
import { enableWebhookEndpoint } from "./enable";
import { getWebhookEndpoint } from "./get";
import { Health } from "@/server/webhooks/dispatch/health";
import { listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { pauseWebhookEndpoint } from "./pause";
import { resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { parkLeftoverDeliveries } from "@/server/webhooks/deliveries/park-leftovers";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

/** Answers 500 at /bad and 204 elsewhere. */
function failAt(s: Stage, path: string, status = 500): void {
  s.listener.answer = (request, response) => response.writeHead(request.path === path ? status : 204).end();
}
const statuses = async (s: Stage, id: string) => (await s.deliveries(id)).map((d) => d.status);

describe("an endpoint that keeps failing", () => {
  it("is disabled after 120 h without a success: pending deliveries are parked and the other endpoints are told", async () => {
    const s = stage();
    failAt(s, "/bad");
    const bad = await s.endpoint("/bad");
    const other = await s.endpoint("/other", { eventTypes: ["webhook.endpoint.disabled"] });
    await s.happen(2);
    await s.send();
    for (let elapsed = 0; elapsed < 119; elapsed += 7) {
      s.advance(7 * hour);
      await s.happen();
      await s.send();
      expect((await getWebhookEndpoint(s.ctx, { id: bad.id })).status).toBe("active");
    }
    const before = await getWebhookEndpoint(s.ctx, { id: bad.id });
    expect(Date.parse(before.willBeDisabledAt!) - Date.parse(bad.createdAt)).toBe(120 * hour);
    s.advance(2 * hour);
    await s.happen();
    await s.send();
    expect(await getWebhookEndpoint(s.ctx, { id: bad.id })).toMatchObject({
      status: "disabled",
      disabledReason: "failing",
      willBeDisabledAt: null,
      lastFailureDetail: "The server answered with status 500.",
    });
    const left = new Set(await statuses(s, bad.id));
    // Jitter decides whether the first deliveries have used up their schedule by now.
    left.delete("failed");
    expect(left).toEqual(new Set(["parked"]));
    await s.sequence();
    await s.send();
    const told = s.listener
      .to("/other")
      .map((r) => JSON.parse(r.body) as { type: string; actor: unknown; data: { object: { id: string } } });
    expect(told.map((e) => [e.type, e.data.object.id])).toEqual([["webhook.endpoint.disabled", bad.id]]);
    expect((await getWebhookEndpoint(s.ctx, { id: other.id })).status).toBe("active");
    const sent = s.listener.to("/bad").length;
    await s.happen();
    await s.send();
    expect([s.listener.to("/bad").length, (await statuses(s, bad.id))[0]]).toEqual([sent, "parked"]);
  });

  it("is not disabled for one failure after a long silence: failures must span 12 h", async () => {
    const s = stage();
    failAt(s, "/bad");
    const { id } = await s.endpoint("/bad");
    s.advance(200 * hour);
    await s.happen();
    await s.send();
    s.advance(11 * hour);
    await s.send();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      status: "active",
      willBeDisabledAt: expect.any(String),
    });
    s.advance(hour);
    await s.happen();
    await s.send();
    expect((await getWebhookEndpoint(s.ctx, { id })).status).toBe("disabled");
  });

  it("a success restarts the 120 h", async () => {
    const s = stage();
    const { id } = await s.endpoint("/bad");
    for (let i = 0; i < 40; i++) {
      failAt(s, i % 10 === 5 ? "/none" : "/bad");
      await s.happen();
      await s.send();
      s.advance(11 * hour);
    }
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      status: "active",
      failingSince: expect.any(String),
      lastSuccessAt: expect.any(String),
    });
  });

  it("is disabled at once by a 410 answer, and its deliveries are parked", async () => {
    const s = stage();
    failAt(s, "/bad", 410);
    const { id } = await s.endpoint("/bad");
    await s.happen(3);
    await s.send();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({ status: "disabled", disabledReason: "gone" });
    expect(new Set(await statuses(s, id))).toEqual(new Set(["parked"]));
    const events = await sql(`SELECT 1 FROM events WHERE org_id = $1 AND type = 'webhook.endpoint.disabled'`, [
      s.world.orgId,
    ]);
    expect(events).toHaveLength(1);
  });
});

describe("a failure followed by a success in the same batch", () => {
  it("is recorded as the last failure, and the endpoint is not failing", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(2);
    s.listener.answer = (_, response) => response.writeHead(s.listener.received.length === 1 ? 503 : 204).end();
    const claimed = await claimDeliveries(
      [{ orgId: s.world.orgId, endpointId: readId("whe", id), slots: 2, after: null }],
      s.now,
      newId("req"),
    );
    const failedAt = s.now.toISOString();
    const failed = await attemptDelivery(claimed[0]!, () => s.now);
    s.advance(1);
    const health = new Health(() => s.now);
    health.note([failed, await attemptDelivery(claimed[1]!, () => s.now)]);
    await health.write();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      failingSince: null,
      lastSuccessAt: s.now.toISOString(),
      lastFailureAt: failedAt,
      lastFailureClass: "http",
      lastFailureDetail: "The server answered with status 503.",
    });
  });
});

describe("disabling a paused endpoint", () => {
  it("emits an event whose previous status is paused", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await pauseWebhookEndpoint(s.ctx, { id });
    await disableWebhookEndpoint(s.ctx, { id });
    const [event] = await sql<{ body: string }>(
      `SELECT body FROM events WHERE org_id = $1 AND type = 'webhook.endpoint.disabled'`,
      [s.world.orgId],
    );
    expect(event!.body).toContain('"previous":{"status":"paused","disabledReason":null}');
  });
});

describe("pausing an endpoint", () => {
  it("holds deliveries back, and enabling sends them", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await pauseWebhookEndpoint(s.ctx, { id });
    await s.happen(2);
    await s.send();
    expect([s.listener.to("/hooks").length, await statuses(s, id)]).toEqual([0, ["pending", "pending", "pending"]]);
    const [delivery] = await s.deliveries(id);
    await expect(resendWebhookDelivery(s.ctx, { id: delivery!.id })).rejects.toMatchObject({ code: "endpoint_state" });
    await enableWebhookEndpoint(s.ctx, { id });
    await s.send();
    expect(s.listener.to("/hooks")).toHaveLength(3);
  });

  it("emits webhook.endpoint.updated, and a disabled endpoint cannot be paused", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await pauseWebhookEndpoint(s.ctx, { id });
    await pauseWebhookEndpoint(s.ctx, { id });
    await enableWebhookEndpoint(s.ctx, { id });
    await disableWebhookEndpoint(s.ctx, { id });
    await expect(pauseWebhookEndpoint(s.ctx, { id })).rejects.toMatchObject({ code: "endpoint_state" });
    const types = await eventsOf(s.world.orgId);
    expect(types.map((row) => row.type)).toEqual([
      "webhook.endpoint.created",
      "webhook.endpoint.updated",
      "webhook.endpoint.updated",
      "webhook.endpoint.disabled",
    ]);
  });
});

describe("deleting an endpoint", () => {
  it("cancels pending deliveries and sends nothing more", async () => {
    const s = stage();
    failAt(s, "/hooks");
    const { id } = await s.endpoint();
    await s.happen(2);
    await s.send();
    await s.happen();
    await deleteWebhookEndpoint(s.ctx, { id });
    s.advance(24 * hour);
    await s.happen();
    await s.send();
    expect(s.listener.to("/hooks")).toHaveLength(2);
    expect((await listWebhookDeliveries(s.ctx, { endpointId: id })).data.map((d) => d.status)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ]);
  });

  it("lets a request in flight finish and cancels its retry", async () => {
    const s = stage();
    const answers: (() => void)[] = [];
    s.listener.answer = (_, response) => answers.push(() => response.writeHead(500).end());
    const { id } = await s.endpoint();
    await s.happen();
    s.dispatcher.wake();
    await s.listener.until(1);
    await deleteWebhookEndpoint(s.ctx, { id });
    answers.forEach((answer) => answer());
    await s.dispatcher.settled();
    const [delivery] = (await listWebhookDeliveries(s.ctx, { endpointId: id })).data;
    expect([delivery!.status, delivery!.attemptCount, (await s.attempts(delivery!.id)).length]).toEqual([
      "cancelled",
      1,
      1,
    ]);
  });
});

describe("a backlog of more deliveries than one statement takes", () => {
  const backlog = (s: Stage, endpointId: string, count: number) =>
    sql(
      `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, next_attempt_at)
       SELECT $1, uuidv7(), $2, uuidv7(), 'subject.created', n, $3 FROM generate_series(1, $4::int) AS n`,
      [s.world.orgId, endpointId, s.now, count],
    );
  const countOf = async (endpointId: string, status: string) =>
    (
      await sql<{ n: number }>(`SELECT count(*) AS n FROM webhook_deliveries WHERE endpoint_id = $1 AND status = $2`, [
        endpointId,
        status,
      ])
    )[0]!.n;

  it("is parked by the sweep, is not sent meanwhile, and is cancelled when the endpoint is deleted", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await backlog(s, id, 12_000);
    await disableWebhookEndpoint(s.ctx, { id });
    expect(await countOf(id, "parked")).toBe(5000);
    await s.send();
    expect(s.listener.received).toEqual([]);
    await parkLeftoverDeliveries(s.now);
    expect(await countOf(id, "parked")).toBe(12_000);
    await deleteWebhookEndpoint(s.ctx, { id });
    await parkLeftoverDeliveries(s.now);
    expect(await countOf(id, "cancelled")).toBe(12_000);
  });
});

describe("an endpoint whose row is locked", () => {
  it("delays no deliveries, and its failure is recorded later", async () => {
    const s = stage();
    failAt(s, "/bad");
    const { id } = await s.endpoint("/bad");
    await s.happen();
    const failedAt = s.now.toISOString();
    await transaction(async (tx) => {
      await tx.sql(`SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [readId("whe", id)]);
      await s.send();
    });
    expect((await s.deliveries(id))[0]).toMatchObject({ attemptCount: 1, lastStatusCode: 500 });
    expect((await getWebhookEndpoint(s.ctx, { id })).failingSince).toBeNull();
    s.advance(6000);
    await s.send();
    expect((await getWebhookEndpoint(s.ctx, { id })).failingSince).toBe(failedAt);
  });
});

describe("deliveries left pending when their endpoint ends", () => {
  it("are parked or cancelled by the sweep", async () => {
    const s = stage();
    const [disabled, deleted, active] = [await s.endpoint("/a"), await s.endpoint("/b"), await s.endpoint("/c")];
    await s.happen();
    await sql(`UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1`, [disabled.id]);
    await sql(`UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1`, [deleted.id]);
    await parkLeftoverDeliveries(s.now);
    const found = (await listWebhookDeliveries(s.ctx, {})).data.map((d) => [d.endpointId, d.status]);
    expect(Object.fromEntries(found)).toEqual({
      [disabled.id]: "parked",
      [deleted.id]: "cancelled",
      [active.id]: "pending",
    });
  });
});
