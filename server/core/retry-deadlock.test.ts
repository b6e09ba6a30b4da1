import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { world } from "@/server/testing/world";
import { idempotent } from "@/server/http/rest/idempotency";
import { problemOf } from "@/server/trpc/errors";
import { problemResponse } from "@/server/http/rest/problem";
import { scimRefusal } from "@/server/http/scim/refusal";
import type { Ctx } from "./context";
import { sql } from "./db";
import { command } from "./operation";
import { transaction } from "./transaction";

const table = `locks_${randomUUID().replaceAll("-", "")}`;

beforeAll(() => sql(`CREATE TABLE ${table} AS SELECT n, 0 AS times FROM generate_series(1, 2) AS n`));
afterAll(() => sql(`DROP TABLE ${table}`));

const times = async () =>
  (await sql<{ times: number }>(`SELECT times FROM ${table} ORDER BY n`)).map((row) => row.times);

/** Two contenders that each lock one row, wait until both have done so, and then want the row of the other. */
function contenders() {
  let arrived = 0;
  let meet: () => void;
  const met = new Promise<void>((resolve) => (meet = resolve));
  return command({
    name: "subjects.update",
    scope: "subjects:write",
    input: z.object({ rows: z.array(z.int()) }),
    async run({ tx }, { rows }) {
      for (const n of rows) {
        await tx.sql(`UPDATE ${table} SET times = times + 1 WHERE n = $1`, [n]);
        if (++arrived === 2) meet();
        await met;
      }
      return rows.length;
    },
  });
}

it("a command in a deadlock is repeated, and each is done once", async () => {
  const { ctx } = await world();
  const contend = contenders();
  expect(await Promise.all([contend(ctx, { rows: [1, 2] }), contend(ctx, { rows: [2, 1] })])).toEqual([2, 2]);
  expect(await times()).toEqual([2, 2]);
});

it("so is a request with an Idempotency-Key", async () => {
  const { ctx } = await world();
  const contend = contenders();
  const request = (rows: number[]) =>
    idempotent(
      ctx,
      { key: `rows ${rows}`, fingerprint: `${rows}` },
      async (within: Ctx) => ({ status: 200, headers: {}, body: String(await contend(within, { rows })) }),
      () => ({ status: 410, headers: {}, body: "" }),
    );
  const answers = await Promise.all([request([1, 2]), request([2, 1])]);
  expect(answers).toMatchObject([
    { status: 200, body: "2", replayed: false },
    { status: 200, body: "2", replayed: false },
  ]);
  expect(await times()).toEqual([4, 4]);
});

it("a command that ends in a deadlock each time is answered 503, in each protocol, and changes nothing", async () => {
  const { ctx } = await world();
  const before = await times();
  let tries = 0;
  const meetings = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  // Both need the row of the other one. PostgreSQL ends the one that checks first for a deadlock.
  const unlucky = command({
    name: "subjects.update",
    scope: "subjects:write",
    input: z.object({}),
    async run({ tx }) {
      const { promise: holds, resolve: held } = meetings[tries++]!;
      await tx.sql(`SET LOCAL deadlock_timeout = '10ms'`);
      await tx.sql(`UPDATE ${table} SET times = times + 1 WHERE n = 1`);
      const other = transaction(async (rival) => {
        await rival.sql(`SET LOCAL deadlock_timeout = '1min'`);
        await rival.sql(`SELECT 1 FROM ${table} WHERE n = 2 FOR UPDATE`);
        held();
        await rival.sql(`SELECT 1 FROM ${table} WHERE n = 1 FOR UPDATE`);
      });
      await holds;
      await Promise.all([tx.sql(`UPDATE ${table} SET times = times + 1 WHERE n = 2`), other]);
    },
  });
  const refused: unknown = await unlucky(ctx, {}).catch((error: unknown) => error);
  expect(tries).toBe(4);
  for (const answer of [problemResponse(refused, ctx.requestId), scimRefusal(refused, ctx.requestId)]) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
  }
  expect(problemOf(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: refused as Error }), undefined)).toMatchObject(
    { status: 503 },
  );
  expect(await times()).toEqual(before);
});
