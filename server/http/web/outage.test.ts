import { TRPCError } from "@trpc/server";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { db } from "@/server/core/db";
import { log } from "@/server/core/log";
import { transaction, type Tx } from "@/server/core/transaction";
import { DomainError } from "@/server/core/errors";
import { ownServer, type OwnServer } from "@/server/testing/own-server";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { problemOf } from "@/server/trpc/errors";
import { oauthErrorResponse } from "@/server/http/oauth/error";
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
  await untilWaitingForLock(Object.keys(works).length);
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

it.each(["53100", "53200", "53300", "53400"])(
  "a statement that fails with %s, insufficient resources, is unavailable with Retry-After",
  async (code) => {
    const raise = `DO $$ BEGIN RAISE EXCEPTION 'none left' USING ERRCODE = '${code}'; END $$`;
    await expectUnavailable(
      failures({
        sql: () => sql(raise),
        prisma: () => transaction((tx) => tx.db.$executeRawUnsafe(raise)),
        transaction: () => transaction((tx) => tx.sql(raise)),
      }),
    );
  },
);

it("an outage logs its cause once, not with each request", async () => {
  const logged = vi.spyOn(log(), "error").mockImplementation(() => undefined);
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  for (let n = 0; n < 5; n++) problemResponse(refused, "req_test");
  // The outages above may have told it within the last minute.
  expect(logged.mock.calls.length).toBeLessThanOrEqual(1);
  problemResponse(new Error("a fault"), "req_test");
  expect(logged).toHaveBeenLastCalledWith(expect.objectContaining({ requestId: "req_test" }), "request failed");
});

it("a deadlock, a lost race and a lock timeout are unavailable, and logged as a warning, not as an outage", () => {
  const outage = vi.spyOn(log(), "error").mockReset();
  const contention = vi.spyOn(log(), "warn").mockImplementation(() => undefined);
  const status = ["40P01", "40001", "55P03", "P2034"].map(
    (code) => problemResponse(Object.assign(new Error("contended"), { code }), "req_test").status,
  );
  expect(status).toEqual([503, 503, 503, 503]);
  expect(outage).not.toHaveBeenCalled();
  expect(contention.mock.calls).toEqual([
    [
      { err: expect.objectContaining({ code: "40P01" }) as Error, failures: 1 },
      "a transaction was ended by a deadlock or waited too long for a lock",
    ],
  ]);
});

it("POST /oauth/token says during an outage that the database cannot be reached", async () => {
  const response = oauthErrorResponse(Object.assign(new Error("no"), { code: "ECONNREFUSED" }), "req_test");
  expect([response.status, await response.json()]).toEqual([
    503,
    {
      error: "temporarily_unavailable",
      error_description: expect.stringMatching(/^The database cannot be reached. Try again shortly/) as string,
    },
  ]);
});
