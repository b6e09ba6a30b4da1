import { beforeAll, expect, it, vi } from "vitest";
import { publicId, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { replayMissingEvents } from "@/server/webhooks/deliveries/replay-missing";
import { resendWebhookDeliveries } from "@/server/webhooks/deliveries/resend";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

it("concurrent replay_missing calls for one endpoint send each missing event once", async () => {
  const s = stage();
  await s.happen(5);
  const [first, second] = [await s.endpoint("/first"), await s.endpoint("/second")];
  const since = new Date(s.now.getTime() - hour).toISOString();
  const asked = await transaction(async (tx) => {
    const own = await replayMissingEvents({ ...s.ctx, tx }, { id: first.id, since });
    const others = [1, 2].map(() => replayMissingEvents(s.ctx, { id: first.id, since }));
    // A replay for another endpoint does not wait.
    expect((await replayMissingEvents(s.ctx, { id: second.id, since })).queued).toBe(5);
    return { own, others };
  });
  expect([asked.own.queued, ...(await Promise.all(asked.others)).map(({ queued }) => queued)]).toEqual([5, 0, 0]);
  await s.send();
  expect(Map.groupBy(s.listener.received, ({ path }) => path).get("/first")).toHaveLength(5);
});

it("concurrent resends and recoveries of the same deliveries do not deadlock: all lock them in the order of their ids", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen(300);
  await s.send();
  const stored = (
    await sql<{ id: Id<"dlv"> }>(`SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id`, [id])
  ).map((delivery) => delivery.id);
  const ids = stored.map((each) => publicId("dlv", each));
  // Move the rows so that they are not stored in id order: stored in that order, they would be locked in it by chance.
  for (const each of ids.toReversed()) await sql(`UPDATE webhook_deliveries SET claim_id = NULL WHERE id = $1`, [each]);
  await sql(`ANALYZE webhook_deliveries`);
  const [first, ...others] = stored;
  const { resent } = await transaction(async (tx) => {
    await tx.sql(`SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE`, [first]);
    const resent = resendWebhookDeliveries(s.ctx, { ids });
    await waiting();
    // It waits for the first row and holds no lock on the later ones.
    expect(await tx.sql(`SELECT FROM webhook_deliveries WHERE id = ANY($1) FOR UPDATE NOWAIT`, [others])).toHaveLength(
      others.length,
    );
    return { resent };
  });
  expect((await resent).queued).toBe(ids.length);
  const token = await s.world.key("webhooks:write");
  const since = new Date(s.now.getTime() - hour).toISOString();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      n % 3
        ? call("POST", "/v1/webhook_deliveries/resend", { token, body: { ids } })
        : call("POST", `/v1/webhook_endpoints/${id}/recover`, { token, body: { since } }),
    ),
  );
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
});

/** Waits until one session waits for a lock. */
const waiting = () =>
  vi.waitFor(async () => {
    expect(await waitingForLock()).toHaveLength(1);
  }, 20_000);
