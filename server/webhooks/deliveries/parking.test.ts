import { beforeAll, describe, expect, it, vi } from "vitest";
import { queueSql } from "@/server/core/db";
import { transaction, type Tx } from "@/server/core/transaction";
import { newId, readId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock, waitingForLock } from "@/server/testing/waiting-for-lock";
import { attemptDelivery } from "@/server/webhooks/dispatch/attempt";
import { claimDeliveries } from "@/server/webhooks/dispatch/claim";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { recordAttempts } from "@/server/webhooks/dispatch/record";
import { recoverWebhookEndpoint } from "./recover";
import { parkPendingDeliveries } from "@/server/webhooks/endpoints/park-pending";
import { parkLeftoverDeliveries } from "./park-leftovers";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

async function pending(s: Stage, endpointId: string, count: number): Promise<void> {
  await sql(
    `INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, next_attempt_at, body)
     SELECT $1, uuidv7(), $2, uuidv7(), 'subject.created', n, $3, '{}' FROM generate_series(1, $4::int) AS n`,
    [s.world.orgId, endpointId, s.now, count],
  );
}

const statuses = async (endpointId: string) =>
  Object.fromEntries(
    (
      await sql<{ status: string; n: number }>(
        `SELECT status, count(*) AS n FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY 1`,
        [endpointId],
      )
    ).map(({ status, n }) => [status, n]),
  );

async function enableAndRecover(s: Stage, id: string, tx?: Tx): Promise<number> {
  const ctx = { ...s.ctx, ...(tx && { tx }) };
  await enableWebhookEndpoint(ctx, { id });
  return (await recoverWebhookEndpoint(ctx, { id, since: new Date(s.now.getTime() - hour).toISOString() })).queued;
}

/**
 * Runs `begun` in a transaction and, before it commits, starts to enable and recover the endpoint. Commits once that is
 * done or waits for a lock, and then waits for it.
 */
async function enabledBeside(s: Stage, id: string, begun: (tx: Tx) => Promise<unknown>): Promise<void> {
  let enabled: Promise<unknown> = Promise.resolve();
  await transaction(async (tx) => {
    await begun(tx);
    let done = false;
    enabled = enableAndRecover(s, id).finally(() => (done = true));
    await vi.waitUntil(async () => done || (await waitingForLock("SELECT id, url")).length > 0, 20_000);
  });
  await enabled;
}

describe("parking", () => {
  it("stops when the endpoint is enabled while it runs, and parks nothing that was recovered", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await disableWebhookEndpoint(s.ctx, { id });
    await pending(s, id, 15_000);
    // One batch is parked; the sweep is about to park the next.
    expect(await parkPendingDeliveries(queueSql, { orgId: s.world.orgId, endpointId: readId("whe", id) }, s.now)).toBe(
      true,
    );
    const { queued, sweep } = await transaction(async (tx) => {
      await tx.sql(`LOCK TABLE webhook_deliveries IN SHARE MODE`);
      const sweep = parkLeftoverDeliveries(s.now);
      await untilWaitingForLock(1, "UPDATE webhook_deliveries AS d SET status = (SELECT ending");
      return { queued: await enableAndRecover(s, id, tx), sweep };
    });
    await sweep;
    expect(queued).toBe(5000);
    expect(await statuses(id)).toEqual({ pending: 15_000 });
  });

  it("does nothing to an enabled endpoint, and makes enabling wait until it has committed", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await pending(s, id, 3);
    expect([
      await parkPendingDeliveries(queueSql, { orgId: s.world.orgId, endpointId: readId("whe", id) }, s.now),
      await statuses(id),
    ]).toEqual([false, { pending: 3 }]);
    await disableWebhookEndpoint(s.ctx, { id });
    await pending(s, id, 3);
    await enabledBeside(s, id, (tx) =>
      parkPendingDeliveries(tx.sql, { orgId: s.world.orgId, endpointId: readId("whe", id) }, s.now),
    );
    expect(await statuses(id)).toEqual({ pending: 6 });
  });

  it("recovery includes a delivery whose failure is being recorded when the endpoint is enabled", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(500).end();
    const { id } = await s.endpoint();
    await s.happen();
    const [claimed] = await claimDeliveries(
      [{ orgId: s.world.orgId, endpointId: readId("whe", id), slots: 1, after: null }],
      s.now,
      newId("req"),
    );
    const attempt = await attemptDelivery(claimed!, () => s.now);
    await disableWebhookEndpoint(s.ctx, { id });
    await enabledBeside(s, id, (tx) => recordAttempts([attempt], tx.sql));
    expect(await statuses(id)).toEqual({ pending: 1 });
  });

  it("recovery includes a delivery whose event is being numbered when the endpoint is enabled", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await disableWebhookEndpoint(s.ctx, { id });
    let numbered: Promise<unknown> = Promise.resolve();
    await enabledBeside(s, id, async (tx) => {
      await tx.sql(`SELECT FROM event_counters WHERE org_id = $1 FOR UPDATE`, [s.world.orgId]);
      numbered = s.happen();
      await untilWaitingForLock(1, "WITH RECURSIVE waiting");
    });
    await numbered;
    expect(await statuses(id)).toEqual({ pending: 2 });
  });
});
