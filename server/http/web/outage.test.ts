import { TRPCError } from "@trpc/server";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/server/core/db";
import { transaction, type Tx } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { ownServer, type OwnServer } from "@/server/testing/own-server";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { problemOf } from "@/server/trpc/errors";
import { problemResponse } from "@/server/http/rest/problem";

let postgres: OwnServer;
beforeAll(async () => {
  process.env["DATABASE_POOL"] = "20";
  postgres = await ownServer();
});
afterAll(() => postgres.close());

const count = (of: Pick<Tx, "db">) => of.db.organisation.count();
const alone = { sql: () => sql("SELECT 1 FROM organisations"), prisma: () => count({ db: db() }) };
const inTransaction = {
  sql: (tx: Tx) => tx.sql("SELECT 1 FROM organisations"),
  prisma: count,
  savepoint: (tx: Tx) => tx.savepoint(() => tx.sql("SELECT 1 FROM organisations")),
  "what nobody waits for": async (tx: Tx) => tx.send("SELECT 1 FROM organisations"),
};
type Failures = Record<string, Promise<unknown>>;

/** Starts the works and returns what each of them fails with. */
const failures = (works: Record<string, () => Promise<unknown>>): Failures =>
  Object.fromEntries(
    Object.entries(works).map(([name, work]) => [
      name,
      work().then(
        () => "nothing",
        (error: unknown) => error,
      ),
    ]),
  );

async function expectUnavailable(failures: Failures): Promise<void> {
  for (const [name, failure] of Object.entries(failures)) {
    const error = await failure;
    const { status, headers } = problemResponse(error, "req_test");
    expect([name, String(error), status, headers.get("retry-after")]).toEqual([name, String(error), 503, "2"]);
    expect(problemOf(new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error }), undefined)).toMatchObject({
      code: "unavailable",
      status: 503,
    });
  }
}

/** Starts works that all wait for a lock held by another session. */
async function waiting(): Promise<Failures> {
  const holder = new pg.Client({ connectionString: process.env["DATABASE_URL"] });
  holder.on("error", () => undefined);
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE organisations");
  const transactions = Object.entries(inTransaction).map(
    ([name, work]) => [`${name} in a transaction`, () => transaction<unknown>(work)] as const,
  );
  const works = failures({ ...alone, ...Object.fromEntries(transactions) });
  while ((await waitingForLock()).length < Object.keys(works).length);
  return works;
}

/** Starts works that continue in their transactions after PostgreSQL has stopped. */
async function interrupted(stopped: Promise<void>): Promise<Failures> {
  const begun: Promise<unknown>[] = [];
  const works = Object.entries(inTransaction).map(([name, work]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(promise);
    const interruptedWork = async (tx: Tx) => {
      await tx.sql("SELECT 1");
      resolve();
      await stopped;
      await work(tx);
    };
    return [`${name}, interrupted`, () => transaction(interruptedWork)] as const;
  });
  const failing = failures(Object.fromEntries(works));
  await Promise.all(begun);
  return failing;
}

it.each(["fast", "immediate"] as const)(
  "requests while PostgreSQL stops (%s), is down and restarts fail as unavailable with Retry-After",
  async (mode) => {
    const stopped = Promise.withResolvers<void>();
    const works = { ...(await waiting()), ...(await interrupted(stopped.promise)) };
    await postgres.stop(mode);
    stopped.resolve();
    await expectUnavailable(works);
    await expectUnavailable(failures({ ...alone, transaction: () => transaction(count) }));
    await postgres.start();
    for (const work of [...Object.values(alone), () => transaction(count)]) await work();
  },
);

it("a domain refusal stays the error even if the connection breaks afterwards", async () => {
  const refusal = new DomainError("conflict", "No.");
  const work = transaction(async (tx) => {
    await tx.sql("SELECT 1");
    await postgres.stop("fast");
    throw refusal;
  });
  await expect(work).rejects.toBe(refusal);
  await postgres.start();
});
