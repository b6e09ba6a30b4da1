import pg from "pg";
import { newId } from "@/server/core/ids";
import { client, rate, timings, type Row } from "./load";
import type { Bench } from "./bench";

const lanes = 16;

/** PUT /v1/subjects, half new and half changed, against a bare loop of the same statements over pg in one process. */
export async function benchUpsert({ origin, token, orgId, databaseUrl, seconds }: Bench): Promise<Row[]> {
  const http = client(origin, token, lanes);
  const ours = await rate(lanes, seconds, (lane, n) => http.send("PUT", "/v1/subjects", payload("put", lane, n)));
  await http.close();

  const pool = new pg.Pool({ connectionString: databaseUrl, max: lanes });
  const bare = await rate(lanes, seconds, async (lane, n) => {
    const connection = await pool.connect();
    await connection.query("BEGIN");
    await connection.query({ name: "upsert", text: upsert, values: upsertValues(orgId, payload("bare", lane, n)) });
    await connection.query({ name: "event", text: event, values: [orgId, newId("evt"), "subject.updated", "sub_x", eventBody, new Date()] });
    await connection.query("COMMIT");
    connection.release();
  });
  await pool.end();
  return [{ name: "PUT /v1/subjects", value: ours, unit: "requests/s", reference: { name: "the same statements in a bare loop over pg", value: bare }, target: "≥ 40 %" }];
}

const payload = (run: string, lane: number, n: number) => ({
  externalId: `${run}-${lane}-${n >> 1}`,
  displayName: `Subject ${n}`,
  email: `${lane}.${n}@example.edu`,
  attributes: { programme: "Mathematics", year: n % 4 },
});

const upsert = `
INSERT INTO subjects AS s (org_id, id, external_id, display_name, email, status, attributes, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, 'active', $6, $7, $7)
ON CONFLICT (org_id, external_id) DO UPDATE SET display_name = excluded.display_name, email = excluded.email,
  attributes = merge_attributes(s.attributes, excluded.attributes), updated_at = excluded.updated_at
WHERE (s.display_name, s.email, s.attributes) IS DISTINCT FROM (excluded.display_name, excluded.email, merge_attributes(s.attributes, excluded.attributes))
RETURNING id`;
const upsertValues = (orgId: string, p: ReturnType<typeof payload>) => [orgId, newId("sub"), p.externalId, p.displayName, p.email, p.attributes, new Date()];
const event = `INSERT INTO events (org_id, id, type, resource_id, body, created_at) VALUES ($1, $2, $3, $4, $5, $6)`;
const eventBody = JSON.stringify({ filler: "x".repeat(600) });

/** Lists and searches in an organisation of a million subjects. */
export async function benchMillion({ origin, token, orgId, databaseUrl, subjects }: Bench): Promise<Row[]> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(fill, [orgId, subjects]);
  await database.query("VACUUM ANALYZE subjects");
  const { rows } = await database.query<{ id: string }>(`SELECT id FROM subjects WHERE org_id = $1 ORDER BY id LIMIT 1 OFFSET 60`, [orgId]);
  await database.end();

  const http = client(origin, token, 1);
  const get = (query: string) => http.send("GET", `/v1/subjects?limit=25${query}`) as Promise<{ nextCursor: string | null; data: { id: string }[] }>;
  // Pages are walked in leaps: with offset to near the end once, then by cursor.
  const nearEnd = await get(`&offset=${subjects - 100}`);
  const first = await timings(200, () => get(""));
  const second = (await get("")).nextCursor!;
  const early = await timings(200, () => get(`&cursor=${second}`));
  const late = await timings(200, () => get(`&cursor=${nearEnd.nextCursor!}`));
  const searches: Row[] = [];
  for (const [what, q] of [["a rare part of a name", "Quillfeather 777"], ["a common name", "Anna"], ["part of an e-mail", "4321@exam"], ["nothing that exists", "zzzzqq"], ["two letters", "an"]] as const) {
    const { p50 } = await timings(30, () => get(`&q=${encodeURIComponent(q)}`));
    searches.push({ name: `q: ${what}`, value: p50, unit: "ms p50", target: "< 50 ms" });
  }
  await http.close();
  if (rows.length === 0) throw new Error("The million subjects are not there");
  return [
    { name: `list of ${subjects.toLocaleString("en")} subjects, first page`, value: first.p50, unit: "ms p50" },
    { name: "second page by cursor", value: early.p50, unit: "ms p50" },
    { name: "last pages by cursor", value: late.p50, unit: "ms p50", reference: { name: "second page by cursor", value: early.p50 }, target: "flat" },
    ...searches,
  ];
}

const fill = `
INSERT INTO subjects (org_id, id, external_id, display_name, email, attributes)
SELECT $1, new_id('sub'), 'mil-' || n,
  (ARRAY['Anna','Ben','Chloé','David','Émile','Fatima','Göran','Hana','Ivan','José'])[1 + n % 10] || ' ' ||
  (ARRAY['Smith','Quillfeather','Müller','Nguyen','Okafor','Rossi','Sato','Silva'])[1 + (n / 10) % 8] || ' ' || n, n || '@example.edu', '{}'
FROM generate_series(1, $2::int) AS n
ON CONFLICT DO NOTHING`;
