import { afterAll, beforeAll, expect, it } from "vitest";
import { nudge } from "@/server/core/nudge";
import { upsertSubject } from "@/server/subjects/upsert";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { listEndpointDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { pauseWebhookEndpoint } from "@/server/webhooks/endpoints/pause";
import { resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { dispatcher, stopDispatcher } from "@/server/webhooks/dispatch/running";
import { sendWebhookTest } from "@/server/webhooks/deliveries/send-test";
import { Listener } from "@/server/webhooks/testing/listener";
import { startEngine, type Engine } from "./engine";

let engine: Engine;
let listener: Listener;
let w: World;
beforeAll(async () => {
  const drop = await ownDatabase();
  w = await world();
  listener = await new Listener().start();
  engine = await startEngine();
  return drop;
});
afterAll(async () => {
  await engine.stop();
  await stopDispatcher(5000);
  await listener.close();
});
const ctx = () => w.at(new Date());

it("events are delivered without a sweep, also after a resend, a test event and a pause", async () => {
  const { id } = await createWebhookEndpoint(ctx(), { url: listener.url(), eventTypes: ["subject.created"] });
  await upsertSubject(ctx(), { externalId: "one" });
  await listener.until(1);
  await dispatcher().settled();
  const [delivery] = (await listEndpointDeliveries(ctx(), { id })).data;
  expect(delivery).toMatchObject({ status: "succeeded", eventType: "subject.created" });
  await resendWebhookDelivery(ctx(), { id: delivery!.id });
  await listener.until(2);
  await sendWebhookTest(ctx(), { id });
  await listener.until(3);
  await pauseWebhookEndpoint(ctx(), { id });
  await upsertSubject(ctx(), { externalId: "two" });
  await enableWebhookEndpoint(ctx(), { id });
  const types = (await listener.until(4)).map((request) => request.headers["svc-event-type"]);
  expect(types).toEqual(["subject.created", "subject.created", "credential.issued", "subject.created"]);
});

it("an endpoint that has failed for too long is disabled even if nothing is due to it", async () => {
  const { id } = await createWebhookEndpoint(w.at(new Date(Date.now() - 130 * 3_600_000)), {
    url: listener.url(),
    eventTypes: ["group.*"],
  });
  await sql(
    `UPDATE webhook_endpoints SET failing_since = enabled_at, last_failure_at = enabled_at + interval '13 hours' WHERE org_id = $1 AND id = $2`,
    [w.orgId, id],
  );
  nudge("deliveries");
  await expect.poll(async () => (await getWebhookEndpoint(ctx(), { id })).status, { timeout: 20_000 }).toBe("disabled");
});

// The last test: its trigger stays until the database is dropped, because to drop it beside the engine can be a deadlock.
it("due deliveries are sent even if parking the deliveries of a disabled endpoint fails", async () => {
  const [ended, { id }] = [await register("/ended"), await register("/well")];
  await upsertSubject(ctx(), { externalId: "three" });
  await Promise.all([listener.until(1, "/ended"), listener.until(1, "/well")]);
  await dispatcher().settled();
  await sql(`UPDATE webhook_endpoints SET status = 'disabled' WHERE id = $1`, [ended.id]);
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`);
  await sql(
    `CREATE TRIGGER refuse BEFORE UPDATE ON webhook_deliveries FOR EACH ROW WHEN (new.status = 'parked') EXECUTE FUNCTION refuse()`,
  );
  await sql(
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = now(), completed_at = NULL WHERE endpoint_id = ANY($1)`,
    [[ended.id, id]],
  );
  nudge("deliveries");
  expect(await listener.until(2, "/well")).toHaveLength(2);
});

const register = (path: string) =>
  createWebhookEndpoint(ctx(), { url: listener.url(path), eventTypes: ["subject.created"] });
