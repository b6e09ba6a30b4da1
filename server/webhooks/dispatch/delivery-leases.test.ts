import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { transaction, type Tx } from "@/server/core/transaction";
import { newId, publicId, readId, type Id } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { claimDeliveries } from "./claim";
import { extendLeases, leaseMs } from "./delivery-leases";
import { Dispatcher } from "./dispatcher";
import { pass } from "@/server/webhooks/testing/driven-time";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const leaseOf = async (s: Stage) =>
  (
    await sql<{ until: Date }>(`SELECT max(lease_until) AS until FROM webhook_deliveries WHERE org_id = $1`, [
      s.world.orgId,
    ])
  )[0]!.until.getTime();

/** Locks the table, calls `begin`, waits until a statement waits for the table, and runs `work` before unlocking it. */
async function holdingUp(table: string, begin: () => void, work: (tx: Tx) => Promise<void>): Promise<void> {
  await transaction(async (tx) => {
    await tx.sql(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    begin();
    while ((await tx.sql(`SELECT 1 FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`)).length === 0);
    await work(tx);
  });
}

it("the lease of an attempt that cannot be recorded is extended while its process lives, and ends after the process stops", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen(3);
  const second = new Dispatcher(() => s.now);
  await holdingUp(
    "webhook_attempts",
    () => s.dispatcher.wake(),
    async () => {
      for (let passed = 0; passed < 3 * leaseMs; passed += leaseMs / 4) {
        const before = await leaseOf(s);
        await pass(s, leaseMs / 4);
        while ((await leaseOf(s)) === before);
        await second.drain({ withinMs: leaseMs });
      }
      expect(s.listener.received).toHaveLength(3);
      const stopped = s.dispatcher.stop({ graceMs: 0 });
      await pass(s, 1);
      await stopped;
      await pass(s, leaseMs - 2);
      await second.drain({ withinMs: leaseMs });
      expect(s.listener.received).toHaveLength(3);
      await pass(s, 1);
      second.wake();
      await s.listener.until(6);
    },
  );
  await Promise.all([s.dispatcher.settled(), second.settled()]);
  expect((await s.deliveries(id)).map((d) => [d.status, d.attemptCount])).toEqual(
    Array.from({ length: 3 }, () => ["succeeded", 1]),
  );
  await second.stop({ graceMs: 0 });
});

it("a claim that took longer than its lease is not sent but claimed again", async () => {
  const s = stage();
  const { id: endpointId } = await s.endpoint();
  await s.happen(3);
  s.listener.answer = () => undefined;
  await holdingUp(
    "webhook_paces",
    () => s.dispatcher.wake([{ orgId: s.world.orgId, endpointId: readId("whe", endpointId) }]),
    async () => s.advance(leaseMs + 1),
  );
  await s.listener.until(3);
  const leased = s.now.getTime();
  s.advance(1);
  const second = new Dispatcher(() => s.now);
  await second.drain({ withinMs: leaseMs });
  expect(await leaseOf(s)).toBe(leased + leaseMs);
  await second.stop({ graceMs: 0 });
  expect(s.listener.received).toHaveLength(3);
  await s.listener.close();
});

it("extending leases skips locked rows and rows that another process has claimed", async () => {
  const s = stage();
  const [taken, locked, own] = await Promise.all(["/taken", "/locked", "/own"].map((path) => s.endpoint(path)));
  await s.happen();
  const claim = async (...endpoints: { id: string }[]) =>
    claimDeliveries(
      endpoints.map(({ id }) => ({ orgId: s.world.orgId, endpointId: readId("whe", id), slots: 1, after: null })),
      s.now,
      newId("req"),
    );
  const held = await claim(taken!, locked!, own!);
  expect(held).toHaveLength(3);
  const claimedAt = s.now.getTime();
  s.advance(leaseMs);
  await claim(taken!);
  s.advance(10);
  await transaction(async (tx) => {
    await tx.sql(`SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 FOR UPDATE`, [readId("whe", locked!.id)]);
    await extendLeases(held, s.now);
  });
  const rows = await sql<{ endpoint_id: Id<"whe">; lease_until: Date }>(
    `SELECT endpoint_id, lease_until FROM webhook_deliveries WHERE org_id = $1`,
    [s.world.orgId],
  );
  const until = new Map<string, number>(
    rows.map((row) => [publicId("whe", row.endpoint_id), row.lease_until.getTime() - claimedAt]),
  );
  expect([taken, locked, own].map((endpoint) => until.get(endpoint!.id))).toEqual([
    2 * leaseMs,
    leaseMs,
    2 * leaseMs + 10,
  ]);
});
