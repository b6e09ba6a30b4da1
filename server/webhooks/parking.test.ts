import { beforeAll, describe, expect, it } from "vitest";
import { queueSql, sql } from "@/server/core/db";
import { transaction, type Tx } from "@/server/core/transaction";
import { newId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { attemptDelivery } from "./attempt";
import { claimDeliveries } from "./claim";
import { disableWebhookEndpoint } from "./disable";
import { enableWebhookEndpoint } from "./enable";
import { recordAttempts } from "./record";
import { recoverWebhookEndpoint } from "./recover";
import { settlePending } from "./settle-pending";
import { settleStrays } from "./strays";
import { useStage, type Stage } from "./testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

async function pending(s: Stage, endpointId: string, count: number): Promise<void> {
  await sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, next_attempt_at, body)
     SELECT $1, new_id('dlv'), $2, 'evt_1', 'subject.created', n, $3, '{}' FROM generate_series(1, $4::int) AS n`,
    [s.world.orgId, endpointId, s.now, count],
  );
}

const statuses = async (endpointId: string) =>
  Object.fromEntries((await sql<{ status: string; n: number }>(`SELECT status, count(*) AS n FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY 1`, [endpointId])).map(({ status, n }) => [status, n]));

async function enableAndRecover(s: Stage, id: string): Promise<number> {
  await enableWebhookEndpoint(s.ctx, { id });
  return (await recoverWebhookEndpoint(s.ctx, { id, since: new Date(s.now.getTime() - hour).toISOString() })).queued;
}

/** A statement that begins so waits for a lock. */
const waits = async (statement: string) =>
  (await sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND starts_with(ltrim(query, E'\n'), $1)`, [statement])).length > 0;

/** Enables and recovers while `begun` is done in a transaction and not yet committed, as far as that lets it; then all of it ends. */
async function enabledBeside(s: Stage, id: string, begun: (tx: Tx) => Promise<unknown>): Promise<void> {
  let enabled: Promise<unknown> = Promise.resolve();
  await transaction(async (tx) => {
    await begun(tx);
    let done = false;
    enabled = enableAndRecover(s, id).finally(() => (done = true));
    while (!done && !(await waits("SELECT id, url")));
  });
  await enabled;
}

describe("parking", () => {
  it("ends where the endpoint is enabled in its midst, and takes nothing of what is recovered then", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await disableWebhookEndpoint(s.ctx, { id });
    await pending(s, id, 40_000);
    const sweep = settleStrays(s.now);
    while (((await statuses(id))["parked"] ?? 0) === 0);
    const queued = await enableAndRecover(s, id);
    await sweep;
    expect(queued).toBeGreaterThan(0);
    expect(await statuses(id)).toEqual({ pending: 40_000 });
  });

  it("does nothing to an endpoint that was enabled before it began, and holds back an enable until it has ended", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await pending(s, id, 3);
    expect([await settlePending(queueSql, { orgId: s.world.orgId, endpointId: id }, s.now), await statuses(id)]).toEqual([false, { pending: 3 }]);
    await disableWebhookEndpoint(s.ctx, { id });
    await pending(s, id, 3);
    await enabledBeside(s, id, (tx) => settlePending(tx.sql, { orgId: s.world.orgId, endpointId: id }, s.now));
    expect(await statuses(id)).toEqual({ pending: 6 });
  });

  it("of what fails after the endpoint was disabled is not lost to a recovery at that moment", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(500).end();
    const { id } = await s.endpoint();
    await s.happen();
    const [claimed] = await claimDeliveries([{ orgId: s.world.orgId, endpointId: id, slots: 1, after: null }], s.now, newId("req"));
    const attempt = await attemptDelivery(claimed!, () => s.now);
    await disableWebhookEndpoint(s.ctx, { id });
    await enabledBeside(s, id, (tx) => recordAttempts([attempt], tx.sql));
    expect(await statuses(id)).toEqual({ pending: 1 });
  });

  it("of what is numbered while the endpoint is disabled is not lost to a recovery at that moment", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await disableWebhookEndpoint(s.ctx, { id });
    let numbered: Promise<unknown> = Promise.resolve();
    await enabledBeside(s, id, async (tx) => {
      await tx.sql(`SELECT FROM event_counters WHERE org_id = $1 FOR UPDATE`, [s.world.orgId]);
      numbered = s.happen();
      while (!(await waits("WITH RECURSIVE waiting")));
    });
    await numbered;
    expect(await statuses(id)).toEqual({ pending: 2 });
  });
});
