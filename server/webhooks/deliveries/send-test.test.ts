import { beforeAll, describe, expect, it } from "vitest";
import { publicId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { recoverWebhookEndpoint } from "./recover";
import { resendWebhookDelivery } from "./resend";
import { sendWebhookTest } from "./send-test";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();

describe("a test delivery", () => {
  it("sends a sample of any type at once, whatever the endpoint subscribes to, and is not in the event log", async () => {
    const s = stage();
    const { id } = await s.endpoint("/hooks", { eventTypes: ["group.*"] });
    const delivery = await sendWebhookTest(s.ctx, { id, type: "credential.revoked" });
    await s.send();
    const [request] = s.listener.to("/hooks");
    expect(JSON.parse(request!.body)).toMatchObject({
      id: delivery.eventId,
      object: "event",
      type: "credential.revoked",
      sequence: 0,
      test: true,
      organisationId: publicId("org", s.world.orgId),
      data: { object: { state: "revoked" } },
    });
    expect(await sql(`SELECT 1 FROM events WHERE id = $1`, [delivery.eventId])).toEqual([]);
    expect((await s.deliveries(id))[0]).toMatchObject({ status: "succeeded", trigger: "test" });
  });

  it("is not retried", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(500).end();
    const { id } = await s.endpoint();
    await sendWebhookTest(s.ctx, { id });
    await s.send();
    expect((await s.deliveries(id))[0]).toMatchObject({ status: "failed", attemptCount: 1 });
  });

  it("is not retried after a resend either, and recover skips it", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(500).end();
    const { id } = await s.endpoint();
    const { id: deliveryId } = await sendWebhookTest(s.ctx, { id });
    await s.send();
    await resendWebhookDelivery(s.ctx, { id: deliveryId });
    await s.send();
    expect((await s.deliveries(id))[0]).toMatchObject({ status: "failed", attemptCount: 2, trigger: "test" });
    expect(await recoverWebhookEndpoint(s.ctx, { id, since: "2026-01-01T00:00:00Z" })).toMatchObject({ queued: 0 });
  });
});
