import { beforeAll, expect, it, vi } from "vitest";
import { consoleSession } from "@/server/access/console-session";
import { endSession } from "@/server/access/end-session";
import { sql } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { inviteMember } from "@/server/organisations/invite-member";
import { person, visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { ownDatabase } from "@/server/testing/own-database";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { createWebhookEndpoint } from "@/server/webhooks/create";
import { resendWebhookDelivery } from "@/server/webhooks/resend";
import { useStage } from "@/server/webhooks/testing/stage";
import { purgeExpired } from "./purge";

beforeAll(ownDatabase);
const stage = useStage();
const day = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * day);
const soon = () => new Date(Date.now() + 60_000);
const count = async (table: string) => (await sql<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]!.n;

it("keeps everything for its lifetime and removes it after, deliveries last", async () => {
  const s = stage();
  const token = await s.world.key("webhooks:write");
  const { id } = await s.endpoint();
  await s.happen(3);
  await s.send();
  await call("POST", "/v1/webhook_endpoints", { token, body: { url: "https://example.edu/" }, headers: { "idempotency-key": "one" } });
  await sql(`INSERT INTO access_tokens (hash, org_id, client_ref, scopes, expires_at) VALUES ('h', $1, 'c', '{}', now())`, [s.world.orgId]);
  await s.sequence();
  const before = [await count("events"), await count("webhook_attempts"), await count("webhook_deliveries")];
  expect(await purgeExpired(later(0.9), soon())).toMatchObject({ events: 0, attempts: 0, deliveries: 0, idempotencyRecords: 0, accessTokens: 1 });
  expect(await purgeExpired(later(29.9), soon())).toMatchObject({ events: 0, attempts: 0, deliveries: 0, statistics: 0, idempotencyRecords: 1 });
  expect([await count("events"), await count("webhook_attempts"), await count("webhook_deliveries")]).toEqual(before);
  expect(await purgeExpired(later(31), soon())).toMatchObject({ events: before[0], attempts: before[1], deliveries: 0 });
  const [delivery] = await s.deliveries(id);
  await expect(resendWebhookDelivery(s.ctx, { id: delivery!.id })).rejects.toMatchObject({ code: "gone" });
  expect(await purgeExpired(later(61), soon())).toMatchObject({ deliveries: 3 });
  expect(await count("webhook_statistics")).toBe(0);
});

it("leaves events that have no number yet and deliveries that wait; those are cancelled when it is their turn", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen();
  await createWebhookEndpoint(s.ctx, { url: "https://example.edu/", eventTypes: ["group.*"] });
  await purgeExpired(later(100), soon());
  expect([await count("events"), await count("webhook_deliveries")]).toEqual([1, 1]);
  await s.send();
  expect([s.listener.received.length, (await s.deliveries(id)).map((d) => [d.status, d.attemptCount])]).toEqual([0, [["cancelled", 0]]]);
});

it("removes one-time links once they have expired, used or not, and sessions a month later", async () => {
  const s = stage();
  const browser = await person(s.world, "viewer");
  await inviteMember(s.ctx, { email: "late@example.edu", role: "viewer" });
  await endSession(visitor(), (await consoleSession(browser.headers))!, {});
  expect(await purgeExpired(later(0.4), soon())).toMatchObject({ links: 0, sessions: 0 });
  expect(await consoleSession(browser.headers)).toBeNull();
  expect(await purgeExpired(later(6.9), soon())).toMatchObject({ links: 0, sessions: 0 });
  expect(await purgeExpired(later(7.1), soon())).toMatchObject({ links: 2 });
  expect(await count("one_time_links")).toBe(0);
  expect(await purgeExpired(later(30.9), soon())).toMatchObject({ sessions: 0 });
  expect(await purgeExpired(later(31.1), soon())).toMatchObject({ sessions: 1 });
});

it("stops when its time is up", async () => {
  const s = stage();
  await s.happen(3);
  expect(await purgeExpired(later(31), new Date(Date.now() - 1))).toMatchObject({ events: 0 });
});

it("keeps nobody waiting while it removes", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen(3);
  await s.send();
  const now = later(31);
  const [last] = await sql<{ id: string }>(`SELECT id FROM events WHERE org_id = $1 AND type = 'subject.created' ORDER BY id DESC LIMIT 1`, [s.world.orgId]);
  const purged = await transaction(async (tx) => {
    // It stops at the last of the old events, and holds the locks of all that it has removed before, until this one is let go.
    await tx.sql(`SELECT FROM events WHERE id = $1 FOR SHARE`, [last!.id]);
    const purging = purgeExpired(now, soon());
    await vi.waitFor(async () => expect(await waitingForLock()).toHaveLength(1));
    s.now = now;
    await s.happen(2);
    await s.send();
    expect((await s.deliveries(id)).map((delivery) => [delivery.status, delivery.attemptCount])).toEqual(Array.from({ length: 5 }, () => ["succeeded", 1]));
    return { purging };
  });
  expect(await purged.purging).toMatchObject({ attempts: 3 });
  expect((await sql(`SELECT FROM events WHERE org_id = $1`, [s.world.orgId])).length).toBe(2);
});
