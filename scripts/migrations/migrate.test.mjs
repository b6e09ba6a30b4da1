import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { migrate } from "./migrate.mjs";
import { migrationFrom, migrationsOf } from "./migrations.mjs";

const migration = migrationFrom;
const first = migration(
  "001_first",
  "CREATE TABLE things (id int PRIMARY KEY); -- a ; in a comment\nINSERT INTO things VALUES (1)",
);
const second = migration("002_second", "INSERT INTO things VALUES (2)");

let admin, url, db, holders;

async function query(text) {
  return (await db.query(text)).rows;
}

beforeAll(async () => {
  admin = new pg.Client(process.env.DATABASE_URL);
  await admin.connect();
});
afterAll(() => admin.end());

beforeEach(async () => {
  const name = `migrate_${randomUUID().replaceAll("-", "")}`;
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  url = Object.assign(new URL(process.env.DATABASE_URL), { pathname: `/${name}` }).href;
  db = new pg.Client(url);
  await db.connect();
  holders = [];
  return async () => {
    await Promise.all([db, ...holders].map((client) => client.end()));
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  };
});

describe("migrate", () => {
  test("applies missing migrations, in order and once", async () => {
    expect(await migrate(url, { migrations: [first] })).toEqual({ applied: ["001_first"], total: 1 });
    expect(await migrate(url, { migrations: [first, second] })).toEqual({ applied: ["002_second"], total: 2 });
    expect(await migrate(url, { migrations: [first, second] })).toEqual({ applied: [], total: 2 });
    expect(await query("SELECT id FROM things ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("writes records that Prisma's own tools can read", async () => {
    await migrate(url, { migrations: migrationsOf() });
    const written = await query(
      "SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished, rolled_back_at, applied_steps_count AS steps FROM _prisma_migrations ORDER BY 1",
    );
    expect(written).toEqual(
      migrationsOf().map(({ name, checksum }) => ({
        name,
        checksum,
        finished: true,
        rolled_back_at: null,
        steps: expect.any(Number),
      })),
    );
  });

  test("applies each migration once if several processes start together", async () => {
    const results = await Promise.all(Array.from({ length: 5 }, () => migrate(url, { migrations: [first, second] })));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(["001_first", "002_second"]);
  });

  test("rolls back a failed migration, names it with its line, and tries it again the next time", async () => {
    const broken = migration("002_broken", "INSERT INTO things VALUES (3);\nINSERT INTO nothing VALUES (1)");
    await expect(migrate(url, { migrations: [first, broken] })).rejects.toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/002_broken failed, line 2/),
      detail: expect.stringMatching(/"nothing" does not exist/),
    });
    expect(await query("SELECT id FROM things")).toEqual([{ id: 1 }]);
    expect(await migrate(url, { migrations: [first, migration("002_broken", second.sql)] })).toMatchObject({
      applied: ["002_broken"],
    });
  });

  test("rolls back a migration whose record cannot be written", async () => {
    const unrecordable = { ...second, name: `002_${"x".repeat(300)}` };
    await expect(migrate(url, { migrations: [first, unrecordable] })).rejects.toThrow(/failed/);
    expect(await query("SELECT id FROM things")).toEqual([{ id: 1 }]);
  });

  test("refuses a database that is newer, and names the unknown migrations", async () => {
    await migrate(url, { migrations: [first, second] });
    await expect(migrate(url, { migrations: [first] })).rejects.toMatchObject({
      message: expect.stringMatching(/newer .* 002_second/),
    });
  });

  test("refuses a database with the migrations from before the first release, and leaves it unchanged", async () => {
    const [foundation] = migrationsOf();
    await migrate(url, {
      migrations: [migration("20261120000000_foundation", first.sql), migration("20261120000100_engine", second.sql)],
    });
    await expect(migrate(url, { migrations: [foundation] })).rejects.toMatchObject({
      name: "Failure",
      message: expect.stringMatching(
        /before the first release made this database .*20261120000000_foundation.*Nothing was changed/,
      ),
      todo: expect.stringMatching(/^start with an empty database/),
    });
    expect(
      await query(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
      ),
    ).toEqual([{ name: "_prisma_migrations" }, { name: "things" }]);
    expect(await query("SELECT migration_name FROM _prisma_migrations")).toHaveLength(2);
  });

  test("refuses a database that was made from another text of an applied migration, and leaves it unchanged", async () => {
    await migrate(url, { migrations: [first] });
    const edited = migration(first.name, first.sql.replace("id int", "id int, name text"));
    await expect(migrate(url, { migrations: [edited, second] })).rejects.toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/another text of the migration 001_first .*Nothing was changed/),
      todo: expect.stringMatching(/^start with an empty database/),
    });
    expect(await query("SELECT * FROM things")).toEqual([{ id: 1 }]);
    expect(await query("SELECT migration_name FROM _prisma_migrations")).toHaveLength(1);
  });

  test.each([
    ["LF", "CRLF"],
    ["CRLF", "LF"],
  ])("treats a text with %s like the same text with %s", async (before, after) => {
    const ends = { LF: "\n", CRLF: "\r\n" };
    const withEnds = (name) => migration(first.name, first.sql.replaceAll("\n", ends[name]));
    await migrate(url, { migrations: [withEnds(before)] });
    expect(await migrate(url, { migrations: [withEnds(after)] })).toEqual({ applied: [], total: 1 });
  });

  test("refuses the database of another program", async () => {
    await query("CREATE TABLE customers (id int)");
    await expect(migrate(url, { migrations: [first] })).rejects.toMatchObject({
      message: expect.stringMatching(/not empty.*customers/),
    });
    expect(await query("SELECT to_regclass('_prisma_migrations') AS records")).toEqual([{ records: null }]);
  });

  test("refuses a migration that another tool left unfinished, and continues once that was resolved", async () => {
    await migrate(url, { migrations: [first] });
    await query("INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '002_second')");
    await expect(migrate(url, { migrations: [first, second] })).rejects.toMatchObject({
      message: expect.stringMatching(/did not finish/),
      todo: expect.stringMatching(/--rolled-back 002_second/),
    });
    await query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '002_second'");
    expect(await migrate(url, { migrations: [first, second] })).toMatchObject({ applied: ["002_second"] });
  });
});

/** Opens a transaction on its own connection that holds the locks of `text`. */
async function hold(text) {
  const holder = new pg.Client({ connectionString: url, application_name: "a long report" });
  await holder.connect();
  holders.push(holder);
  await holder.query("BEGIN");
  await holder.query(text);
  return { release: () => holder.query("ROLLBACK") };
}

/** Resolves once a query returns `true`. */
const until = (question) =>
  vi.waitUntil(async () => (await query(`SELECT (${question}) AS answer`))[0].answer, {
    timeout: 20_000,
    interval: 20,
  });
const records = () =>
  query(
    "SELECT migration_name AS name, finished_at IS NOT NULL AS finished, applied_steps_count AS steps FROM _prisma_migrations ORDER BY 1",
  );
const indexes = async () =>
  (
    await query(
      "SELECT indexrelid::regclass::text || CASE WHEN indisvalid THEN '' ELSE ' INVALID' END AS name FROM pg_index WHERE indrelid = 'things'::regclass ORDER BY 1",
    )
  ).map(({ name }) => name);

describe("a migration that waits for a lock", () => {
  const change = migration("002_column", "ALTER TABLE things ADD COLUMN name text");

  test("stops waiting after a moment, so that nothing queues up behind it, and is applied once the lock is free", async () => {
    await migrate(url, { migrations: [first] });
    const report = await hold("SELECT * FROM things");
    const told = [];
    const migrating = migrate(url, {
      migrations: [first, change],
      lockTimeoutMs: 300,
      doing: (text) => told.push(text),
    });
    await vi.waitUntil(() => told.some((text) => text.includes("attempt 2")), { timeout: 20_000 });
    expect(await query("SELECT id FROM things")).toEqual([{ id: 1 }]);
    await report.release();
    expect(await migrating).toMatchObject({ applied: ["002_column"] });
    expect(told[1]).toMatch(
      /applying 002_column .*waiting for a lock \(attempt 1\), held by pid \d+ of a long report \(idle in transaction, transaction open for/,
    );
  });

  test("is given up at last, names the holder of the lock, and leaves nothing behind", async () => {
    await migrate(url, { migrations: [first] });
    const report = await hold("SELECT * FROM things");
    await expect(
      migrate(url, { migrations: [first, change], lockTimeoutMs: 300, lockPatienceMs: 400 }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/002_column failed.*undone/),
      detail: expect.stringMatching(/lock timeout\nHeld by pid \d+ of a long report/),
      todo: expect.stringMatching(/^end the transactions/),
    });
    expect(await records()).toEqual([{ name: "001_first", finished: true, steps: 1 }]);
    await report.release();
    expect(await migrate(url, { migrations: [first, change] })).toMatchObject({ applied: ["002_column"] });
  });
});

describe("a migration without a transaction", () => {
  const steps = (...statements) => migration("002_steps", `-- no-transaction\n${statements.join(";\n")};\n`);
  const build = "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS things_new ON things (abs(id))";
  const swap = steps(
    "UPDATE things SET id = id + 10 WHERE id BETWEEN 0 AND 9",
    build,
    "DROP INDEX CONCURRENTLY IF EXISTS things_old",
    "ALTER INDEX IF EXISTS things_new RENAME TO things_old",
  );

  test("runs its statements one by one, once", async () => {
    const migrations = [migration("001_first", `${first.sql}; CREATE INDEX things_old ON things (id)`), swap];
    expect(await migrate(url, { migrations })).toEqual({ applied: ["001_first", "002_steps"], total: 2 });
    expect(await migrate(url, { migrations })).toEqual({ applied: [], total: 2 });
    expect(await query("SELECT id FROM things")).toEqual([{ id: 11 }]);
    expect(await indexes()).toEqual(["things_old", "things_pkey"]);
    expect(await records()).toMatchObject([{}, { finished: true, steps: 4 }]);
  });

  test("keeps completed statements after a failure, names the failed one, and continues there", async () => {
    await migrate(url, { migrations: [first] });
    await query("INSERT INTO things VALUES (-11)");
    await expect(migrate(url, { migrations: [first, swap] })).rejects.toMatchObject({
      message: expect.stringMatching(/002_steps failed at statement 2 of 4, line 3 .*before it stays/),
      detail: expect.stringMatching(/could not create unique index/),
    });
    expect(await query("SELECT id FROM things ORDER BY 1")).toEqual([{ id: -11 }, { id: 11 }]);
    expect(await indexes()).toEqual(["things_pkey"]);
    expect(await records()).toMatchObject([{}, { finished: false, steps: 1 }]);

    await query("DELETE FROM things WHERE id < 0; INSERT INTO things VALUES (5)");
    expect(await migrate(url, { migrations: [first, swap] })).toMatchObject({ applied: ["002_steps"] });
    expect(await query("SELECT id FROM things ORDER BY 1")).toEqual([{ id: 5 }, { id: 11 }]);
    expect(await indexes()).toEqual(["things_old", "things_pkey"]);
  });

  test("starts again if the file changed after a failure", async () => {
    await migrate(url, { migrations: [first] });
    await expect(
      migrate(url, {
        migrations: [
          first,
          steps("UPDATE things SET id = 2", "-- About the\n-- second\nSELECT id,\n  nonsense FROM things"),
        ],
      }),
    ).rejects.toThrow(/statement 2 of 2, line 6 /);
    await migrate(url, { migrations: [first, steps("UPDATE things SET id = 3", "ANALYZE things")] });
    expect(await query("SELECT id FROM things")).toEqual([{ id: 3 }]);
  });

  test("drops the INVALID index of a killed build, and builds it again", async () => {
    await migrate(url, { migrations: [first] });
    const writer = await hold("INSERT INTO things VALUES (2)");
    const failure = migrate(url, { migrations: [first, steps(build)] }).catch((error) => error);
    await until("SELECT count(*) = 1 FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'");
    await query("SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index");
    expect(await failure).toMatchObject({ name: "Failure", detail: expect.stringMatching(/terminating connection/) });
    expect(await indexes()).toEqual(["things_new INVALID", "things_pkey"]);
    await writer.release();
    expect(await migrate(url, { migrations: [first, steps(build)] })).toMatchObject({ applied: ["002_steps"] });
    expect(await indexes()).toEqual(["things_new", "things_pkey"]);
  });

  test("waits for open transactions as long as they last, while other sessions write, and names them", async () => {
    await migrate(url, { migrations: [first] });
    const writer = await hold("INSERT INTO things VALUES (2)");
    const told = [];
    const migrating = migrate(url, {
      migrations: [first, steps(build)],
      lockTimeoutMs: 50,
      lockPatienceMs: 100,
      progressMs: 20,
      doing: (text) => told.push(text),
    });
    await vi.waitUntil(
      () =>
        told.some((text) =>
          /applying 002_steps .*statement 1 of 1, waiting for writers before build, waiting for pid \d+ of a long report/.test(
            text,
          ),
        ),
      { timeout: 20_000 },
    );
    await query("INSERT INTO things VALUES (3)");
    await writer.release();
    expect(await migrating).toMatchObject({ applied: ["002_steps"] });
  });

  test("is applied by one of several processes, while the others wait without blocking it", async () => {
    const writer = (await migrate(url, { migrations: [first] }), await hold("INSERT INTO things VALUES (2)"));
    const told = [];
    const migrating = Array.from({ length: 4 }, () =>
      migrate(url, { migrations: [first, steps(build)], doing: (text) => told.push(text) }),
    );
    await vi.waitUntil(() => told.filter((text) => text.startsWith("waiting for another")).length === 3, {
      timeout: 20_000,
    });
    await until("SELECT count(*) = 1 FROM pg_stat_progress_create_index WHERE phase LIKE 'waiting%'");
    await writer.release();
    expect((await Promise.all(migrating)).flatMap(({ applied }) => applied)).toEqual(["002_steps"]);
    expect(await indexes()).toEqual(["things_new", "things_pkey"]);
  });
});
