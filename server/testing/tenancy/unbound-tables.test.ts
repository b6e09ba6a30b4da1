import { beforeAll, describe, expect, it } from "vitest";
import { readCatalogue } from "./catalogue";
import { references } from "./exceptions";
import { unneeded, violations } from "./judge";
import { callerOf } from "./record";
import { unboundTables, type Catalogue } from "./unbound-tables";

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await readCatalogue(process.env["DATABASE_URL"]!);
});
const unbound = (text: string) => unboundTables(text, catalogue, { tables: [], references });

describe("a planted statement that does not bind org_id is found", () => {
  it.each([
    ["a read by id", "SELECT * FROM subjects WHERE id = $1", ["subjects"]],
    ["a read of all", "SELECT count(*) FROM subjects", ["subjects"]],
    ["a literal", "SELECT 1 FROM subjects WHERE org_id = 'org_1'", ["subjects"]],
    ["another comparison than equality", "SELECT 1 FROM subjects WHERE org_id <> $1", ["subjects"]],
    ["a comparison that may be left out", "SELECT 1 FROM subjects WHERE $1::text IS NULL OR org_id = $1", ["subjects"]],
    ["a comparison with itself", "SELECT 1 FROM subjects s WHERE s.org_id = s.org_id", ["subjects"]],
    [
      "a comparison that falls back on the row itself",
      "SELECT 1 FROM subjects WHERE org_id = coalesce($1, org_id)",
      ["subjects"],
    ],
    ["a denied comparison", "SELECT 1 FROM subjects WHERE NOT (org_id = $1)", ["subjects"]],
    [
      "a join by id alone",
      "SELECT 1 FROM credentials c JOIN subjects s ON s.id = c.subject_id WHERE c.org_id = $1",
      ["subjects"],
    ],
    [
      "an outer join whose condition is on the other side",
      "SELECT 1 FROM subjects s LEFT JOIN credentials c ON s.org_id = $1 AND c.org_id = $1",
      ["subjects"],
    ],
    [
      "a subquery that reads another organisation",
      "SELECT (SELECT count(*) FROM events) FROM subjects WHERE org_id = $1",
      ["events"],
    ],
    [
      "a subquery whose own condition is bound",
      "SELECT 1 FROM subjects s WHERE EXISTS (SELECT FROM credentials c WHERE c.org_id = s.org_id AND c.org_id = $1)",
      ["subjects"],
    ],
    [
      "a CTE",
      "WITH found AS (SELECT id FROM subjects WHERE external_id = $2) SELECT 1 FROM credentials c JOIN found ON found.id = c.subject_id WHERE c.org_id = $1",
      ["subjects"],
    ],
    [
      "one half of a union",
      "SELECT id FROM subjects WHERE org_id = $1 UNION ALL SELECT id FROM templates",
      ["templates"],
    ],
    ["an update", "UPDATE subjects SET status = 'inactive' WHERE id = $1", ["subjects"]],
    [
      "an update from a bound table",
      "UPDATE subjects s SET status = 'inactive' FROM credentials c WHERE c.org_id = $1 AND c.subject_id = s.id",
      ["subjects"],
    ],
    [
      "a deletion within a CTE",
      "WITH gone AS (DELETE FROM subjects WHERE id = $1 RETURNING id) SELECT * FROM gone",
      ["subjects"],
    ],
    ["an insertion without org_id", "INSERT INTO templates (id) VALUES ($1)", ["templates"]],
    [
      "an insertion of another row's org_id",
      "INSERT INTO templates (org_id, id) SELECT org_id, $1 FROM subjects",
      ["subjects", "templates"],
    ],
    [
      "an upsert whose key is not the organisation's",
      "INSERT INTO templates (org_id, id) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = ''",
      ["templates"],
    ],
    [
      "a merge",
      "MERGE INTO subjects s USING (SELECT $1::text AS id) AS given ON s.id = given.id WHEN MATCHED THEN DELETE",
      ["subjects"],
    ],
    ["a truncation", "TRUNCATE subjects", ["subjects"]],
    [
      "deliveries of an endpoint that is not bound",
      "SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1",
      ["webhook_deliveries"],
    ],
    [
      "deliveries of an endpoint of another organisation",
      "SELECT 1 FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id",
      ["webhook_deliveries", "webhook_endpoints"],
    ],
    [
      "a row by the address of one that is not bound",
      "DELETE FROM subjects WHERE ctid = ANY(ARRAY(SELECT ctid FROM subjects LIMIT 1))",
      ["subjects"],
    ],
    ["the second of two statements", "SELECT 1; DELETE FROM subjects", ["subjects"]],
  ])("%s", (_, text, tables) => {
    expect(unbound(text)).toEqual(tables);
  });
});

describe("a statement that binds org_id passes", () => {
  it.each([
    ["by a parameter", "SELECT * FROM subjects WHERE org_id = $1 AND id = $2"],
    ["by a parameter of a function", "SELECT * FROM subjects WHERE org_id = nullif($1, '')"],
    ["by a row of parameters", "SELECT * FROM subjects WHERE (org_id, id) = ($1, $2)"],
    ["by a list", "SELECT * FROM subjects WHERE org_id = ANY($1) AND id IN ($2, $3)"],
    [
      "in each half of an OR",
      "SELECT * FROM subjects WHERE org_id = $1 AND id = $2 OR org_id = $1 AND external_id = $3",
    ],
    [
      "by a join, from whichever end",
      "SELECT 1 FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id WHERE s.org_id = $1",
    ],
    ["by USING", "SELECT 1 FROM credentials c LEFT JOIN subjects s USING (org_id) WHERE c.org_id = $1"],
    [
      "by the organisation's own row",
      "SELECT 1 FROM organisations o JOIN subjects s ON s.org_id = o.id WHERE o.id = $1",
    ],
    [
      "by rows that were sent",
      "SELECT 1 FROM jsonb_to_recordset($1) AS sent (org_id text, id text) CROSS JOIN LATERAL (SELECT 1 FROM subjects WHERE org_id = sent.org_id OFFSET 0) s",
    ],
    [
      "by a bound subquery",
      "SELECT 1 FROM subjects WHERE (org_id, id) IN (SELECT org_id, subject_id FROM credentials WHERE org_id = $1)",
    ],
    [
      "by a CTE",
      "WITH c AS (SELECT * FROM credentials WHERE org_id = $1) UPDATE subjects s SET status = 'active' FROM c WHERE s.org_id = c.org_id",
    ],
    [
      "in an insertion with an upsert",
      "INSERT INTO templates AS t (org_id, id) SELECT $1, id FROM unnest($2::text[]) AS sent (id) ON CONFLICT (org_id, id) DO UPDATE SET name = '' RETURNING t.id",
    ],
    [
      "by the address of a bound row",
      "UPDATE subjects s SET status = '' FROM (SELECT ctid AS tid FROM subjects WHERE org_id = $1) found WHERE s.ctid = found.tid",
    ],
    [
      "through its endpoint",
      "SELECT 1 FROM (SELECT id FROM webhook_endpoints WHERE org_id = $1) AS e CROSS JOIN LATERAL (SELECT 1 FROM webhook_deliveries WHERE endpoint_id = e.id) d",
    ],
    ["because no tenant's table is named", "SELECT 1 FROM users WHERE email = $1"],
  ])("%s", (_, text) => {
    expect(unbound(text)).toEqual([]);
  });
});

describe("exceptions", () => {
  const text = "SELECT k.org_id FROM api_keys k JOIN oauth_clients c ON c.org_id = k.org_id WHERE k.hash = $1";
  const rules = (exception: object) => ({
    catalogue,
    references,
    exceptions: [{ file: "server/access/x.ts", tables: ["api_keys"], because: "", ...exception }],
  });
  const ran = { file: "server/access/x.ts", text, isLookUp: false };

  it("apply to the tables that they name, and to tables joined to these by org_id", () => {
    expect(violations([ran], rules({}))).toEqual([]);
    expect(violations([ran], rules({ tables: ["oauth_clients"] }))).toEqual([]);
    expect(violations([ran], rules({ tables: ["subjects"] }))).toHaveLength(1);
    expect(violations([{ ...ran, file: "server/access/y.ts" }], rules({}))).toHaveLength(1);
  });

  it("for look-ups apply only to lookUp, and only they may use lookUp", () => {
    expect(violations([{ ...ran, isLookUp: true }], rules({ isLookUp: true }))).toEqual([]);
    expect(violations([ran], rules({ isLookUp: true }))).toHaveLength(1);
    expect(violations([{ ...ran, isLookUp: true }], rules({}))).toHaveLength(1);
    expect(
      violations([{ ...ran, isLookUp: true, file: "server/access/y.ts", text: "SELECT 1" }], rules({})),
    ).toHaveLength(1);
  });

  it("that no statement needs are reported", () => {
    expect(unneeded([ran], rules({}))).toEqual([]);
    expect(unneeded([ran], rules({ tables: ["api_keys", "subjects"] }))).toEqual(["server/access/x.ts: subjects"]);
    expect(unneeded([], rules({}))).toEqual(["server/access/x.ts: api_keys"]);
  });
});

describe("the sender of a statement", () => {
  const at = (...files: string[]) =>
    `Error\n${files.map((file) => `    at send (${process.cwd()}/${file}:1:2)`).join("\n")}`;

  it("is the first file in the stack that does not only pass it on", () => {
    expect(callerOf(at("server/core/transaction.ts", "server/subjects/load.ts", "server/subjects/get.ts"))).toEqual({
      file: "server/subjects/load.ts",
      isLookUp: false,
    });
    expect(callerOf(at("server/core/db.ts", "server/core/look-up.ts", "server/access/authenticate.ts"))).toEqual({
      file: "server/access/authenticate.ts",
      isLookUp: true,
    });
    expect(callerOf(at("server/core/sql-connection.ts", "node_modules/@prisma/adapter-pg/dist/index.mjs"))).toEqual({
      file: "prisma",
      isLookUp: false,
    });
  });

  it("is undefined for tests, their helpers and migrations", () => {
    for (const file of ["server/subjects/load.test.ts", "server/testing/world.ts", "scripts/migrations/migrate.mjs"])
      expect(callerOf(at("server/core/db.ts", file, "server/subjects/load.ts"))).toBeUndefined();
  });
});
