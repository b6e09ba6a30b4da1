import { beforeAll, expect, it, vi } from "vitest";
import { pool } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { runChild } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { world, type World } from "@/server/testing/world";
import { Feed, fileOf, numbers } from "../testing/feed";
import { eventTypesOf } from "../testing/outcome";
import { untilPhase } from "../testing/until-phase";
import type { RunView } from "../run-view";
import { runConnectorStep } from "./step";

beforeAll(ownDatabase);

/** Enough rows for two halves. Sorted as text, p-10000 to p-14999 are the first half, and p-15000 to p-19999 the second. */
const people = numbers(10_000, 19_999);

const countOf = async ({ orgId }: World, from: number, to: number) =>
  (
    await sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM subjects WHERE org_id = $1 AND external_id BETWEEN $2 AND $3`,
      [orgId, `p-${from}`, `p-${to}`],
    )
  )[0]!.n;

/** Begins to create a person, so that a run that creates them too waits until `end`. */
async function creating({ orgId }: World, externalId: string) {
  const holder = await pool().connect();
  await holder.query("BEGIN");
  await holder.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, $3)`, [
    orgId,
    newId("sub"),
    externalId,
  ]);
  return {
    end: async () => {
      await holder.query("ROLLBACK");
      holder.release();
    },
  };
}

it("a step applies a batch of each half of a large file", async () => {
  const w = await world();
  const feed = await Feed.open(w);
  const { id } = await feed.queue(fileOf(people));
  await untilPhase("applying", w);
  await runConnectorStep(new Date());
  expect(await countOf(w, 10_000, 14_999)).toBe(2000);
  expect(await countOf(w, 15_000, 19_999)).toBe(2000);
  expect(await feed.run(id)).toMatchObject({ status: "running", counts: { created: 4000 } });
  await feed.work();
  expect(await feed.run(id)).toMatchObject({ status: "succeeded", counts: { rows: 10_000, created: 10_000 } });
});

/** Queues a large file, and kills its worker once a batch of the second half is committed and none of the first. */
async function killedBetween(w: World) {
  const feed = await Feed.open(w);
  const { id } = await feed.queue(fileOf(people));
  await untilPhase("applying", w);
  const holder = await creating(w, "p-10999");
  const child = await runChild("server/connectors/testing/worker.child.ts");
  expect(await child.line()).toBe("working");
  await untilWaitingForLock(1);
  await vi.waitUntil(async () => (await countOf(w, 15_000, 19_999)) === 2000, { timeout: 20_000 });
  await child.kill();
  await holder.end();
  expect(await countOf(w, 10_000, 14_999)).toBe(0);
  return { feed, id };
}

it("no row is applied twice after a worker is killed that had committed a batch of the second half only", async () => {
  const w = await world();
  const { feed, id } = await killedBetween(w);
  await vi.waitUntil(
    async () => {
      await feed.work();
      return (await feed.run(id)).status !== "running";
    },
    { timeout: 20_000 },
  );
  expect(await feed.run(id)).toMatchObject({
    status: "succeeded",
    counts: { rows: 10_000, created: 10_000, unchanged: 0 },
  });
  expect((await eventTypesOf(w)).length).toBe(10_000);
});

it("a run that is cancelled after its worker was killed counts the second half, and can be undone", async () => {
  const w = await world();
  const { feed, id } = await killedBetween(w);
  const cancelled = await feed.post(`/runs/${id}/cancel`);
  expect(cancelled.json()).toMatchObject({ status: "cancelled", counts: { created: 2000 } });
  const approver = await w.key("connectors:approve", "connectors:run");
  const undo = (await feed.post(`/runs/${id}/undo`, {}, approver)).json<RunView>();
  await feed.work();
  expect(await feed.run(undo.id)).toMatchObject({ status: "succeeded", counts: { deleted: 2000 } });
  expect(await countOf(w, 10_000, 19_999)).toBe(0);
});

it("the first half goes on while somebody else holds a person of the second", async () => {
  const w = await world();
  const feed = await Feed.open(w);
  const { id } = await feed.queue(fileOf(people));
  await untilPhase("applying", w);
  const holder = await creating(w, "p-15500");
  await runConnectorStep(new Date());
  expect(await countOf(w, 10_000, 14_999)).toBe(2000);
  expect(await countOf(w, 15_000, 19_999)).toBe(0);
  await holder.end();
  await feed.work();
  expect(await feed.run(id)).toMatchObject({ status: "succeeded", counts: { created: 10_000 } });
});

it("all rows with one id are in the same half, so only the first of them counts", async () => {
  const w = await world();
  const feed = await Feed.open(w);
  const middle = numbers(1, 20).map(() => 15_000);
  const run = await feed.upload(fileOf([...numbers(10_000, 14_990), ...middle, ...numbers(15_001, 19_990)]));
  expect(run).toMatchObject({ status: "succeeded", counts: { rows: 10_001, created: 9982, rejected: 19 } });
  expect(await feed.errors(run.id)).toMatchObject(Array(19).fill({ code: "duplicate_external_id" }));
});
