import { describe, expect, it } from "vitest";
import { moduleOf, namedAtRunTime, writeExceptions, writers } from "./layers";
import { code, isTestCode, sourceFiles } from "./sources";
import { tablesByModel, writesOf, type Write } from "./statements";

const written = sourceFiles(code)
  .filter((file) => !isTestCode(file))
  .flatMap((file) => writesOf(file));
const known = [...tablesByModel().values()].toSorted();
const same = (a: Write) => (b: Write) => a.file === b.file && a.table === b.table;

/** Returns why a write is not allowed; undefined if it is. */
function refusal(write: Write): string | undefined {
  if (writeExceptions.some(same(write))) return undefined;
  const tables = write.table.includes("${") ? namedAtRunTime.find(same(write))?.tables : [write.table];
  if (!tables) return `${write.file} names a table at run time: list what it can be in namedAtRunTime`;
  const module = moduleOf(write.file)?.name ?? "no module";
  const others = tables.filter((table) => !writers[table]?.includes(module));
  return others.length === 0 ? undefined : `${write.file} (${module}) may not write ${others.join(", ")}`;
}

it("the list of writers has a row for each table of the schema", () => {
  expect(Object.keys(writers)).toEqual(known);
});

it("every write is by a module that may write its table", () => {
  expect(written.length).toBeGreaterThan(120);
  expect(written.flatMap((write) => refusal(write) ?? [])).toEqual([]);
});

it("the list of writers has no module that does not write", () => {
  const doing = new Set(
    written.flatMap((write) =>
      (namedAtRunTime.find(same(write))?.tables ?? [write.table]).map(
        (table) => `${table}: ${moduleOf(write.file)?.name}`,
      ),
    ),
  );
  expect(
    Object.entries(writers)
      .flatMap(([table, names]) => names.map((name) => `${table}: ${name}`))
      .filter((row) => !doing.has(row)),
  ).toEqual([]);
  expect([...namedAtRunTime, ...writeExceptions].filter((row) => !written.some(same(row)))).toEqual([]);
});

describe("a planted write is refused", () => {
  it.each([
    ["an insert", "server/verification/x.ts", "sql(`INSERT INTO credentials (org_id) VALUES ($1)`)"],
    [
      "an update with an alias",
      "server/webhooks/x.ts",
      "sql(`\n  UPDATE events AS e\n  SET body = '' WHERE org_id = $1`)",
    ],
    [
      "a delete within a WITH",
      "server/subjects/x.ts",
      "sql(`WITH gone AS (DELETE FROM credentials WHERE org_id = $1 RETURNING 1) SELECT ${n}`)",
    ],
    [
      "an upsert",
      "server/http/x.ts",
      'sql("INSERT INTO users (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET name = $2")',
    ],
    ["a write through Prisma", "server/credentials/x.ts", "ctx.tx.db.apiKey.updateMany({ where: { orgId } })"],
    ["a leased table", "server/subjects/x.ts", 'const leases = new LeasedTable<Row>({\n  table: "notifications",\n})'],
    ["the lease of a long job", "server/subjects/x.ts", 'const lease = jobLease("photo_imports")'],
    ["a table that is named at run time", "server/core/x.ts", "sql(`DELETE FROM ${table} WHERE id = $1`)"],
    ["a truncation", "server/core/x.ts", "sql(`TRUNCATE audit_entries`)"],
    ["a table that does not exist", "server/core/x.ts", "sql(`INSERT INTO wallets (id) VALUES ($1)`)"],
  ])("%s", (_, file, source) => {
    expect(writesOf(file, source).flatMap((write) => refusal(write) ?? [])).toHaveLength(1);
  });

  it("but no lock, no sentence and no comment", () => {
    const source =
      "// UPDATE events\nsql(`SELECT 1 FROM events FOR UPDATE OF events SKIP LOCKED`); throw new Error(`Please UPDATE it.`)";
    expect(writesOf("server/subjects/x.ts", source)).toEqual([]);
  });
});
