import { beforeAll, beforeEach, expect, it } from "vitest";
import { queuePool, queueSql } from "@/server/core/db";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { LeasedTable } from "./leased-table";

interface Held {
  id: string;
  claimId: string;
}

const leases = new LeasedTable<Held>({
  table: "due_rows",
  key: { id: { type: "text", of: (row) => row.id } },
  claimId: { type: "text", of: (row) => row.claimId },
  status: "status",
  due: "due_at",
});
// In the future, so that no lease ends within the grace period after the start of PostgreSQL (lease-over.ts).
const start = new Date(Date.now() + 3_600_000);
const after = (seconds: number) => new Date(start.getTime() + 1000 * seconds);

beforeAll(async () => {
  const drop = await ownDatabase();
  await sql(
    `CREATE TABLE due_rows (id text PRIMARY KEY, status text NOT NULL DEFAULT 'pending', due_at timestamptz NOT NULL, claim_id text, lease_until timestamptz)`,
  );
  return drop;
});
beforeEach(async () => {
  await sql(`TRUNCATE due_rows`);
  await sql(`INSERT INTO due_rows (id, due_at) SELECT n::text, $1 FROM generate_series(1, 4) AS n`, [start]);
});

const claimText = `
WITH due AS MATERIALIZED (
  SELECT r.ctid AS tid FROM due_rows r WHERE ${leases.claimable("r", "$1", "$2")} ORDER BY r.id LIMIT $4 FOR UPDATE SKIP LOCKED
)
${leases.claim("due", "$2", "$3")} RETURNING id, claim_id AS "claimId"`;

/** Claims up to `most` rows for a minute. */
const claim = (claimId: string, at: Date, most = 2) =>
  queueSql<Held>(claimText, [at, claimId, new Date(at.getTime() + 60_000), most]);
const extend = (held: Held[], until: Date) =>
  queueSql(leases.extend(`$${leases.next}`), [...leases.columns(held), until]);
const release = (held: Held[], status: string, dueAt: Date) =>
  queueSql(leases.release(`status = $${leases.next}, due_at = $${leases.next + 1}`), [
    ...leases.columns(held),
    status,
    dueAt,
  ]);
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();

it("gives two concurrent claims different rows, and a third one none", async () => {
  const [one, two] = await Promise.all([claim("a", start), claim("b", start)]);
  expect(ids([...one, ...two])).toEqual(["1", "2", "3", "4"]);
  expect(await claim("c", start)).toEqual([]);
});

it("gives a claim that is repeated under the same id the rows that it leased before", async () => {
  const first = await claim("a", start);
  expect(ids(await claim("a", start))).toEqual(ids(first));
});

it("lets another claim take a row when its lease is over, and an extended one when the extension is over", async () => {
  const [first, second] = await claim("a", start);
  await extend([first!], after(90));
  expect(ids(await claim("b", after(59), 4))).toEqual(["3", "4"]);
  expect(ids(await claim("c", after(60), 4))).toEqual([second!.id]);
  expect(ids(await claim("d", after(90), 1))).toEqual([first!.id]);
});

it("changes nothing for a process that lost its lease to another claim", async () => {
  const lost = await claim("a", start);
  const taken = await claim("b", after(60));
  expect(ids(taken)).toEqual(ids(lost));
  expect([await extend(lost, after(500)), await release(lost, "failed", start)]).toEqual([[], []]);
  expect(await sql(`SELECT DISTINCT status, claim_id, lease_until FROM due_rows WHERE claim_id IS NOT NULL`)).toEqual([
    { status: "pending", claim_id: "b", lease_until: after(120) },
  ]);
});

it("gives a released row to the next claim when it is due again, and a parked or done one to none", async () => {
  const [first, second] = await claim("a", start);
  await release([first!], "pending", after(10));
  await release([second!], "parked", start);
  expect(ids(await claim("b", after(9), 4))).toEqual(["3", "4"]);
  expect(ids(await claim("c", after(10), 4))).toEqual([first!.id]);
  expect(await sql(`SELECT claim_id, lease_until FROM due_rows WHERE status = 'parked'`)).toEqual([
    { claim_id: null, lease_until: null },
  ]);
});

it("extends leases without waiting for a row that another transaction has locked", async () => {
  const held = await claim("a", start);
  await transaction(async (tx) => {
    await tx.sql(`SELECT FROM due_rows WHERE id = $1 FOR UPDATE`, [held[0]!.id]);
    expect(await extend(held, after(90))).toHaveLength(1);
  }, queuePool());
});
