import { beforeAll, expect, it, vi } from "vitest";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { preparePartitions } from "./partitions";

beforeAll(ownDatabase);

it("refuses no writer while the rows of this week are moved out of the default partition", async () => {
  const { key } = await world();
  const token = await key();
  const write = (name: string) =>
    call("PUT", "/v1/subjects", { token, body: { externalId: name, displayName: name } }).then(({ status }) => status);
  const weeks = await sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass AND c.relname ~ '_[0-9]{8}$' ORDER BY 1`,
  );
  await sql(`DROP TABLE ${weeks[0]!.name}`, [], false);
  expect(await write("before")).toBe(201);
  expect(await sql(`SELECT FROM events_default`)).not.toEqual([]);
  let preparing: Promise<void> | undefined;
  const writers: Promise<number>[] = [];
  // The move waits for this reader, while writers arrive.
  await transaction(async (tx) => {
    await tx.sql(`LOCK TABLE events_default IN ACCESS SHARE MODE`);
    preparing = preparePartitions(new Date());
    await vi.waitFor(async () => expect(await waitingForLock("prepare_partitions")).toHaveLength(1), 1500);
    for (let n = 0; n < 6; n++) writers.push(write(`writer ${n}`));
    await vi.waitFor(async () => expect((await waitingForLock()).length).toBeGreaterThan(1), 1500);
  });
  await preparing;
  expect(await Promise.all(writers)).toEqual(Array(6).fill(201));
  expect(await sql(`SELECT FROM events_default`)).toEqual([]);
});
