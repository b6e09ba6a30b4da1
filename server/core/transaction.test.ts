import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pool, sql } from "./db";
import { transaction, type Tx } from "./transaction";

const table = `tx_${randomUUID().replaceAll("-", "")}`;
const insert = `INSERT INTO ${table} (n) VALUES ($1)`;

beforeAll(() => sql(`CREATE TABLE ${table} (n INT PRIMARY KEY)`));
afterAll(() => sql(`DROP TABLE ${table}`));

const stored = async () => (await sql<{ n: number }>(`SELECT n FROM ${table} ORDER BY n`)).map(({ n }) => n);

describe("a transaction", () => {
  it("commits statements that were sent without waiting for them", async () => {
    await transaction(async (tx) => tx.send(insert, [1]));
    expect(await stored()).toEqual([1]);
  });

  it("fails with the error of a sent statement, and writes nothing", async () => {
    const failing = transaction(async (tx) => {
      await tx.sql(insert, [2]);
      tx.send(insert, [1]);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await stored()).toEqual([1]);
  });

  it("reports the sent statement that failed first, not the refusal of the following ones", async () => {
    const failing = transaction(async (tx) => {
      tx.send(insert, [1]);
      await tx.sql(insert, [2]);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
  });

  it("reports the statement that failed first, even if one that follows is sent twice and was never prepared", async () => {
    const failing = transaction(async (tx) => {
      const first = tx.sql(insert, [1]);
      tx.send(`SELECT $1::int AS sent_twice`, [1]);
      tx.send(`SELECT $1::int AS sent_twice`, [2]);
      await first;
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
  });

  it("commits with its last statement, or fails with the error of a statement that was sent before", async () => {
    expect(await transaction((tx) => tx.last(`${insert} RETURNING n`, [10]))).toEqual([{ n: 10 }]);
    expect(await stored()).toEqual([1, 10]);
    await sql(`DELETE FROM ${table} WHERE n = 10`);
    const failing = transaction(async (tx) => {
      tx.send(insert, [1]);
      await tx.last(insert, [2]);
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    await expect(transaction((tx) => tx.last(insert, [1]))).rejects.toMatchObject({ code: "23505" });
    const late = transaction(async (tx) => {
      await tx.last(`SELECT 1`);
      await tx.sql(insert, [2]);
    });
    await expect(late).rejects.toThrow("has ended");
    expect(await stored()).toEqual([1]);
  });

  it("rolls back a savepoint with the statements that were sent in it, and goes on", async () => {
    await transaction(async (tx) => {
      tx.send(insert, [3]);
      const undone = tx.savepoint(async () => {
        tx.send(insert, [4]);
        tx.send(insert, [1]);
        await tx.sql(`SELECT 1`);
      });
      await expect(undone).rejects.toMatchObject({ code: "23505" });
      await tx.savepoint(async () => tx.send(insert, [5]));
    });
    expect(await stored()).toEqual([1, 3, 5]);
  });

  it("returns a clean connection to the pool, even after a failure", async () => {
    const sessions = () =>
      Promise.all(
        Array.from({ length: 4 }, () =>
          transaction((tx) => tx.sql<{ state: string }>(`SELECT count(*) AS n FROM ${table}`)),
        ),
      );
    await expect(transaction(async () => Promise.reject(new Error("refused before any statement")))).rejects.toThrow(
      "refused before",
    );
    await expect(transaction(async (tx) => tx.send(`SELECT 1 / 0`))).rejects.toMatchObject({ code: "22012" });
    await expect(sessions()).resolves.toHaveLength(4);
    expect(pool().waitingCount).toBe(0);
  });

  it("refuses statements after its end", async () => {
    let ended: Tx;
    const refused = transaction(async (tx) => {
      ended = tx;
      await tx.sql(insert, [1]);
    });
    await expect(refused).rejects.toMatchObject({ code: "23505" });
    await expect(ended!.sql(insert, [8])).rejects.toThrow("has ended");
    expect(await stored()).not.toContain(8);
  });

  it("fails if its connection breaks, and the next one works", async () => {
    const broken = transaction(async (tx) => {
      const [own] = await tx.sql<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
      await sql(`SELECT pg_terminate_backend($1)`, [own!.pid]);
      tx.send(insert, [6]);
    });
    await expect(broken).rejects.toThrow();
    await transaction(async (tx) => tx.send(insert, [7]));
    expect(await stored()).toEqual([1, 3, 5, 7]);
  });
});
