import { beforeAll, describe, expect, it } from "vitest";
import { readId, uuidOf } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { queueEndpointNotices } from "@/server/notifications/endpoint-notices";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { person } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { disableFailing } from "./disable-failing";
import { getWebhookEndpoint } from "./get";
import { pauseWebhookEndpoint } from "./pause";
import { steps } from "@/server/webhooks/deliveries/schedule";
import { sendWebhookTest } from "@/server/webhooks/deliveries/send-test";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

/** Registers an endpoint whose only delivery has failed at every step of its schedule; nothing has happened since. */
async function failedForGood(s: Stage) {
  s.listener.answer = (_, response) => response.writeHead(500).end();
  const { id } = await s.endpoint();
  await s.happen();
  for (const _ of steps) {
    await s.send();
    s.now = new Date((await s.deliveries(id))[0]!.nextAttemptAt!);
  }
  await s.send();
  return getWebhookEndpoint(s.ctx, { id });
}
const statusOf = async (s: Stage, id: string) => (await getWebhookEndpoint(s.ctx, { id })).status;

describe("an endpoint whose only delivery has failed for good", () => {
  it("is disabled by the job exactly at willBeDisabledAt; owners and the other endpoints are told", async () => {
    const s = stage();
    await person(s.world, "owner");
    const { id, status, willBeDisabledAt } = await failedForGood(s);
    expect([status, (await s.deliveries(id)).map((d) => d.status)]).toEqual(["active", ["failed"]]);
    s.now = new Date(Date.parse(willBeDisabledAt!) - 1);
    await disableFailing(s.now);
    expect(await statusOf(s, id)).toBe("active");
    // Its first attempt is due exactly when the endpoint is disabled.
    await s.happen();
    s.advance(1);
    await disableFailing(s.now);
    await disableFailing(s.now);
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      status: "disabled",
      disabledReason: "failing",
      disabledAt: s.now.toISOString(),
    });
    expect((await s.deliveries(id)).map((d) => d.status)).toEqual(["parked", "failed"]);
    const events = (await eventsOf(s.world.orgId)).filter(({ type }) => type === "webhook.endpoint.disabled");
    expect(events).toMatchObject([
      { actor: { type: "job", id: "webhooks" }, data: { object: { id }, previous: { status: "active" } } },
    ]);
    await queueEndpointNotices(s.now);
    expect(
      await sql(
        `SELECT facts->>'endpointId' AS id FROM notifications WHERE kind = 'endpoint_disabled' AND org_id = $1`,
        [s.world.orgId],
      ),
    ).toEqual([{ id: readId("whe", id) }]);
  });

  it("is not disabled while it is paused, or when its failures span less than 12 h", async () => {
    const s = stage();
    const { id } = await failedForGood(s);
    await pauseWebhookEndpoint(s.ctx, { id });
    const once = await s.endpoint();
    s.advance(200 * hour);
    await sendWebhookTest(s.ctx, { id: once.id });
    await s.send();
    s.advance(200 * hour);
    await disableFailing(s.now);
    expect([await statusOf(s, id), await statusOf(s, once.id)]).toEqual(["paused", "active"]);
  });

  it("is disabled although disabling another endpoint fails", async () => {
    const s = stage();
    const ids = [(await s.endpoint("/other")).id, (await failedForGood(s)).id];
    expect(await Promise.all(ids.map((id) => statusOf(s, id)))).toEqual(["active", "active"]);
    s.advance(200 * hour);
    for (const refused of ids) {
      await sql(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$`,
      );
      await sql(
        `CREATE TRIGGER refuse BEFORE UPDATE ON webhook_endpoints FOR EACH ROW WHEN (new.id = '${uuidOf(readId("whe", refused))}') EXECUTE FUNCTION refuse()`,
      );
      await disableFailing(s.now);
      await sql(`DROP FUNCTION refuse CASCADE`);
    }
    expect(await Promise.all(ids.map((id) => statusOf(s, id)))).toEqual(["disabled", "disabled"]);
  });

  it("is left for the next run when its row is locked", async () => {
    const s = stage();
    const { id } = await failedForGood(s);
    s.advance(200 * hour);
    await transaction(async (tx) => {
      await tx.sql(`SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [readId("whe", id)]);
      await disableFailing(s.now);
    });
    expect(await statusOf(s, id)).toBe("active");
    await disableFailing(s.now);
    expect(await statusOf(s, id)).toBe("disabled");
  });
});
