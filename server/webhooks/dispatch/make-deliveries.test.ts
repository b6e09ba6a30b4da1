import { describe, expect, it } from "vitest";
import { publicId, type Id } from "@/server/core/ids";
import { sequenceBatch } from "@/server/consumers";
import { upsertSubject } from "@/server/subjects/upsert";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";

describe("the sequencer", () => {
  it("creates a delivery for each subscribed endpoint, with ids in the order of the events, and parked if the endpoint is disabled", async () => {
    const w = await world();
    const endpoint = async (...eventTypes: string[]) =>
      (await createWebhookEndpoint(w.ctx, { url: "https://example.edu/hooks", eventTypes })).id;
    const [all, subjects, disabled] = [
      await endpoint(),
      await endpoint("subject.*"),
      await endpoint("subject.created"),
    ];
    await endpoint("group.*");
    await disableWebhookEndpoint(w.ctx, { id: disabled });
    for (let i = 0; i < 40; i++) await upsertSubject(w.ctx, { externalId: `s-${i}` });
    while ((await sequenceBatch()).more);
    const made = await sql<{ id: Id<"dlv">; endpoint: Id<"whe">; sequence: number; status: string }>(
      `SELECT id, endpoint_id AS endpoint, sequence, status FROM webhook_deliveries WHERE org_id = $1 AND event_type = 'subject.created' ORDER BY id`,
      [w.orgId],
    );
    for (const [id, status] of [
      [all, "pending"],
      [subjects, "pending"],
      [disabled, "parked"],
    ]) {
      const own = made.filter((row) => publicId("whe", row.endpoint) === id);
      expect([own.length, new Set(own.map((row) => row.status))]).toEqual([40, new Set([status])]);
      expect(own.map((row) => row.sequence)).toEqual(own.map((row) => row.sequence).toSorted((x, y) => x - y));
    }
    expect([made.length, new Set(made.map((row) => publicId("dlv", row.id))).size]).toEqual([120, 120]);
    const told = await sql<{ n: number }>(
      `SELECT count(*) AS n FROM webhook_deliveries WHERE org_id = $1 AND event_type = 'webhook.endpoint.disabled'`,
      [w.orgId],
    );
    expect(told[0]!.n).toBe(1);
  });
});
