import { expect, it } from "vitest";
import { uuidOf } from "@/server/core/ids";
import { world } from "@/server/testing/world";
import { transaction, type Tx } from "./transaction";

const connectionOf = async (tx: Tx) => (await tx.sql<{ pid: number }>(`SELECT pg_backend_pid() AS pid`))[0]!.pid;

it("uses one Prisma client for transactions on different connections, one after the other", async () => {
  const first = await transaction(async (tx) => ({ client: tx.db, pid: await connectionOf(tx) }));
  await transaction(async (holder) => {
    await connectionOf(holder);
    const second = await transaction(async (tx) => ({ client: tx.db, pid: await connectionOf(tx) }));
    expect(second.pid).not.toBe(first.pid);
    expect(second.client).toBe(first.client);
  });
});

it("shows each of many concurrent transactions its own writes and none of the others", async () => {
  const w = await world();
  const orgId = uuidOf(w.orgId);
  const written = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
  const read = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
  const all = (those: PromiseWithResolvers<void>[]) => Promise.all(those.map(({ promise }) => promise));
  const seen = await Promise.all(
    written.map((_, i) =>
      transaction(async (tx) => {
        await tx.sql(
          `INSERT INTO api_keys (org_id, id, name, hash, last_four, created_by) VALUES ($1, uuidv7(), $2, gen_random_uuid()::text, '', '{}')`,
          [w.orgId, `key ${i}`],
        );
        written[i]!.resolve();
        await all(written);
        const keys = await tx.db.apiKey.findMany({ where: { orgId }, select: { name: true } });
        read[i]!.resolve();
        // A transaction that ended before the others read would show them what it committed.
        await all(read);
        return keys;
      }),
    ),
  );
  expect(seen).toEqual(written.map((_, i) => [{ name: `key ${i}` }]));
});

it("refuses calls on a client whose transaction has ended", async () => {
  const w = await world();
  const client = await transaction(async (tx) => tx.db);
  await expect(client.apiKey.findMany({ where: { orgId: uuidOf(w.orgId) } })).rejects.toThrow(
    "The transaction has ended",
  );
});

it("does not reuse the client of a failed transaction", async () => {
  let failed: Tx["db"] | undefined;
  const failing = transaction(async (tx) => {
    failed = tx.db;
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  expect(await transaction(async (tx) => tx.db)).not.toBe(failed);
});
