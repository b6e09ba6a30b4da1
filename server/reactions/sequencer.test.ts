import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { asBackground, pool } from "@/server/core/db";
import { actingFor } from "@/server/core/organisation-share";
import { transaction } from "@/server/core/transaction";
import { deleteSubject } from "@/server/subjects/delete";
import { upsertSubject } from "@/server/subjects/upsert";
import { runChild } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { webhookDeliveries } from "@/server/webhooks/dispatch/make-deliveries";
import type { Consumer } from "./consumer";
import { Sequencer } from "./sequencer";
import { createNotes, notes } from "./testing/notes";

let w: World;
beforeAll(async () => {
  const drop = await ownDatabase();
  await createNotes();
  return drop;
});
beforeEach(async () => {
  await sql(`TRUNCATE notes`);
  w = await world();
});

const deliveries: Consumer = { ...webhookDeliveries, wake: () => undefined };
/** Wraps a consumer to remember the rows that it was woken with. */
function remembering(consumer: Consumer, more: Partial<Consumer> = {}) {
  const woken: object[] = [];
  return { ...consumer, wake: (due: object[]) => void woken.push(...due), woken, ...more };
}
const noted = () =>
  sql<{ id: string; type: string; sequence: number }>(
    `SELECT id, type, sequence FROM notes WHERE org_id = $1 ORDER BY sequence`,
    [w.orgId],
  );
const delivered = () =>
  sql<{ event_id: string }>(`SELECT event_id FROM webhook_deliveries WHERE org_id = $1`, [w.orgId]);
const waiting = async () => (await sql(`SELECT FROM event_outbox WHERE org_id = $1`, [w.orgId])).length;
async function subjects(...names: string[]): Promise<string[]> {
  const made: string[] = [];
  for (const externalId of names) made.push((await upsertSubject(w.ctx, { externalId })).subject.id);
  return made;
}

it("gives each consumer the events of its patterns once, and wakes it with its due rows", async () => {
  await createWebhookEndpoint(w.ctx, { url: "https://example.edu/hooks", eventTypes: [] });
  const consumer = remembering(notes);
  const [first] = await subjects("a", "b");
  await deleteSubject(w.ctx, { id: first! });
  await new Sequencer([deliveries, consumer]).drain();
  await new Sequencer([deliveries, consumer]).drain();
  const made = await noted();
  expect(made.map(({ type, sequence }) => [type, sequence])).toEqual([
    ["subject.created", 2],
    ["subject.created", 3],
  ]);
  expect(made.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toSorted());
  expect(consumer.woken).toEqual([{ sequence: 2 }, { sequence: 3 }]);
  expect(await delivered()).toHaveLength(4);
});

it("skips a consumer that is not enabled, and does not wake one without due rows", async () => {
  const disabled = remembering(notes, { isEnabled: () => false });
  const idle: Consumer = {
    name: "idle",
    effect: "Nothing.",
    events: ["group.*"],
    react: ({ events }) => ({
      with: `idle_made AS (SELECT sequence FROM ${events})`,
      due: `SELECT sequence FROM idle_made`,
    }),
    wake: () => expect.unreachable(),
  };
  await subjects("a");
  await new Sequencer([disabled, idle]).drain();
  expect([await noted(), disabled.woken, await waiting()]).toEqual([[], [], 0]);
});

it("numbers nothing while a consumer's statement fails, and every event once when it no longer does", async () => {
  await subjects("a", "b");
  await sql(`ALTER TABLE notes ADD CONSTRAINT refuse CHECK (false)`);
  await expect(new Sequencer([deliveries, notes]).drain()).rejects.toThrow("refuse");
  expect([await waiting(), await noted()]).toEqual([2, []]);
  const sequencer = new Sequencer([deliveries, notes]);
  sequencer.wake();
  await sql(`ALTER TABLE notes DROP CONSTRAINT refuse`);
  // The sequencer retries the failed round without a further wake().
  await vi.waitFor(async () => expect(await noted()).toHaveLength(2), { timeout: 10_000 });
  await sequencer.stop();
});

it("numbers each event once, with the rows of every consumer, although a process is killed in the middle", async () => {
  await createWebhookEndpoint(w.ctx, { url: "https://example.edu/hooks", eventTypes: ["subject.created"] });
  await subjects("a", "b", "c", "d", "e");
  await transaction(async (tx) => {
    // Blocks the statement at its second consumer.
    await tx.sql(`LOCK TABLE notes IN SHARE MODE`);
    const child = await runChild("server/reactions/testing/sequencer.child.ts");
    while ((await sql(`SELECT FROM pg_locks WHERE NOT granted AND relation = 'notes'::regclass`)).length === 0);
    await child.kill();
  });
  await new Sequencer([deliveries, notes]).drain();
  const log = await sql<{ id: string; sequence: number }>(
    `SELECT id, sequence FROM event_log WHERE org_id = $1 AND type = 'subject.created' ORDER BY sequence`,
    [w.orgId],
  );
  expect(log.map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5, 6]);
  expect((await noted()).map(({ sequence }) => sequence)).toEqual([2, 3, 4, 5, 6]);
  expect((await delivered()).map(({ event_id }) => event_id).toSorted()).toEqual(log.map(({ id }) => id).toSorted());
});

it("numbers what was committed before it was stopped, and nothing later", async () => {
  const sequencer = new Sequencer([notes]);
  await subjects("a");
  await sequencer.stop();
  expect(await waiting()).toBe(0);
  await subjects("b");
  sequencer.wake();
  await sequencer.stop();
  expect(await noted()).toHaveLength(2);
});

it("runs outside the request whose commit woke it, on the connections of jobs, not on those of its organisation", async () => {
  const woken = Promise.withResolvers<boolean>();
  const sequencer = new Sequencer([{ ...notes, wake: () => woken.resolve(pool() === asBackground(pool)) }]);
  await actingFor(w.orgId, async () => {
    await subjects("a");
    sequencer.wake();
  });
  expect(await woken.promise).toBe(true);
  await sequencer.stop();
});
