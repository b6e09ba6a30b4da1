import { beforeAll, describe, expect, it } from "vitest";
import { transaction } from "@/server/core/transaction";
import { newId, publicId, readId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { attemptDelivery } from "./attempt";
import { claimDeliveries } from "./claim";
import { leaseMs } from "./delivery-leases";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { pauseWebhookEndpoint } from "@/server/webhooks/endpoints/pause";
import { recordGone } from "./record-gone";
import { sendWebhookTest } from "@/server/webhooks/deliveries/send-test";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";

beforeAll(ownDatabase);
const stage = useStage();

const answerGone = (s: Stage) =>
  void (s.listener.answer = (request, response) => response.writeHead(request.path === "/hooks" ? 410 : 204).end());
const stateOf = async (s: Stage, id: string) => {
  const { status, disabledReason } = await getWebhookEndpoint(s.ctx, { id });
  return [status, disabledReason, ...(await s.deliveries(id)).map((d) => d.status)];
};
const told = (s: Stage) =>
  sql<{ body: string }>(`SELECT body FROM events WHERE org_id = $1 AND type = 'webhook.endpoint.disabled'`, [
    s.world.orgId,
  ]);

/** Registers an endpoint that answers 410 after `meanwhile`, which runs while the request is in flight. */
async function goneAfter(s: Stage, meanwhile: (id: string) => Promise<unknown>): Promise<string> {
  const { id } = await s.endpoint();
  const answer = Promise.withResolvers<void>();
  s.listener.answer = (request, response) =>
    void (request.path === "/hooks"
      ? answer.promise.then(() => response.writeHead(410).end())
      : response.writeHead(204).end());
  await s.happen();
  s.dispatcher.wake();
  await s.listener.until(1);
  await meanwhile(id);
  answer.resolve();
  await s.dispatcher.settled();
  return id;
}

describe("a 410", () => {
  it("waits for the lock on the endpoint's row, delays no other delivery, and is not lost", async () => {
    const s = stage();
    answerGone(s);
    const { id } = await s.endpoint();
    const other = await s.endpoint("/other");
    await transaction(async (tx) => {
      await tx.sql(`SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [readId("whe", id)]);
      await s.happen();
      s.dispatcher.wake();
      await s.listener.until(1);
      while ((await s.deliveries(other.id))[0]!.status !== "succeeded");
      s.advance(1000);
      await s.happen();
      s.dispatcher.wake();
      while ((await s.deliveries(other.id))[0]!.status !== "succeeded");
    });
    await s.dispatcher.settled();
    expect(await stateOf(s, id)).toEqual(["disabled", "gone", "parked", "parked"]);
    expect(await told(s)).toHaveLength(1);
  });

  it("is recorded together with disabling its endpoint; if that fails, the attempt is made again", async () => {
    const s = stage();
    answerGone(s);
    const { id } = await s.endpoint();
    await s.happen();
    const [claimed] = await claimDeliveries(
      [{ orgId: s.world.orgId, endpointId: readId("whe", id), slots: 1, after: null }],
      s.now,
      newId("req"),
    );
    const attempt = await attemptDelivery(claimed!, () => s.now);
    await sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
    );
    await sql(`CREATE TRIGGER refuse BEFORE UPDATE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await expect(recordGone(attempt, s.now)).rejects.toThrow("refused");
    await sql(`DROP FUNCTION refuse CASCADE`);
    expect([await stateOf(s, id), await s.attempts(publicId("dlv", claimed!.id)), await told(s)]).toEqual([
      ["active", null, "pending"],
      [],
      [],
    ]);
    s.advance(leaseMs);
    await s.send();
    expect(await stateOf(s, id)).toEqual(["disabled", "gone", "parked"]);
    expect([
      s.listener.received.length,
      (await s.attempts(publicId("dlv", claimed!.id))).length,
      (await told(s)).length,
    ]).toEqual([2, 1, 1]);
  });

  it("emits an event with the job as its actor and the previous status", async () => {
    const s = stage();
    answerGone(s);
    const { id } = await s.endpoint();
    await s.happen();
    await s.send();
    expect(JSON.parse(`${(await told(s))[0]!.body}}`)).toMatchObject({
      actor: { type: "job", id: "webhooks" },
      data: { object: { id, disabledReason: "gone" }, previous: { status: "active" } },
    });
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      lastFailureAt: s.now.toISOString(),
      lastFailureDetail: "The server answered with status 410.",
    });
  });

  it("to a test delivery disables the endpoint too, and the test delivery fails", async () => {
    const s = stage();
    answerGone(s);
    const { id } = await s.endpoint();
    await sendWebhookTest(s.ctx, { id });
    await s.send();
    expect(await stateOf(s, id)).toEqual(["disabled", "gone", "failed"]);
  });
});

describe("a 410 that comes after", () => {
  it("the URL was changed does not disable the endpoint, and the new URL gets the delivery at the next attempt", async () => {
    const s = stage();
    const id = await goneAfter(s, (id) => updateWebhookEndpoint(s.ctx, { id, url: s.listener.url("/new") }));
    expect(await stateOf(s, id)).toEqual(["active", null, "pending"]);
    s.advance(6000);
    await s.send();
    expect([await stateOf(s, id), s.listener.to("/new").length]).toEqual([["active", null, "succeeded"], 1]);
  });

  it("the endpoint was disabled and enabled does not disable it", async () => {
    const s = stage();
    const id = await goneAfter(s, async (id) => {
      await disableWebhookEndpoint(s.ctx, { id });
      s.advance(1000);
      await enableWebhookEndpoint(s.ctx, { id });
    });
    expect(await stateOf(s, id)).toEqual(["active", null, "pending"]);
    s.advance(6000);
    await s.send();
    expect(await stateOf(s, id)).toEqual(["disabled", "gone", "parked"]);
  });

  it("the endpoint was disabled parks the delivery and emits no second event", async () => {
    const s = stage();
    const id = await goneAfter(s, (id) => disableWebhookEndpoint(s.ctx, { id }));
    expect([await stateOf(s, id), (await told(s)).length]).toEqual([["disabled", "manual", "parked"], 1]);
  });

  it("the endpoint was paused disables it, with a time after the pause", async () => {
    const s = stage();
    const id = await goneAfter(s, async (id) => {
      s.advance(5000);
      await pauseWebhookEndpoint(s.ctx, { id });
    });
    expect(await stateOf(s, id)).toEqual(["disabled", "gone", "parked"]);
    const now = s.now.toISOString();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({ disabledAt: now, updatedAt: now });
    expect(JSON.parse(`${(await told(s))[0]!.body}}`)).toMatchObject({ created: Math.floor(s.now.getTime() / 1000) });
  });

  it("the endpoint was deleted cancels the delivery", async () => {
    const s = stage();
    const id = await goneAfter(s, (id) => deleteWebhookEndpoint(s.ctx, { id }));
    expect([(await listWebhookDeliveries(s.ctx, { endpointId: id })).data.map((d) => d.status), await told(s)]).toEqual(
      [["cancelled"], []],
    );
  });
});
