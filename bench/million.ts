import pg from "pg";
import type { Benchmark, BenchmarkSetup } from "./benchmark";
import { httpClient } from "./http-client";
import { timings, type Row } from "./measure";

/** How many times each request is made. */
const times = 40;

interface List {
  data: unknown[];
  nextCursor: string | null;
}

/** Lists and searches of subjects in an organisation that has a million. */
export const subjects: Benchmark = async function* (setup, { million }) {
  await fill(setup, million);
  const list = await listing(setup, "/v1/subjects");
  yield* flat(list, "subjects", "", million);
  yield* flat(list, "subjects, sort=displayName", "sort=displayName", million);
  yield* flat(list, "subjects, sort=-updatedAt, all alike", "sort=-updatedAt", million);
  yield* flat(list, "subjects, status=inactive, one of fifty", "status=inactive", million / 50);
  for (const [what, query] of searches) {
    const { p50, p99 } = await timings(times, () => list.get(query));
    yield { name: `q: ${what}`, value: p50, unit: "ms p50", target: { max: 50 } };
    if (p99 > 50) yield { name: `q: ${what}`, value: p99, unit: "ms p99" };
  }
  for (const [what, query] of [
    ["a common name", "q=Anna"],
    ["part of an e-mail", "q=21@exam"],
  ] as const) {
    const { nextCursor } = await list.get(`${query}&limit=100`);
    const { p50 } = await timings(times, () => list.get(`${query}&cursor=${nextCursor!}`));
    yield { name: `q: ${what}, next page by cursor`, value: p50, unit: "ms p50", target: { max: 50 } };
  }
  list.close();
};

/** Searches whose words `fillSubjects` makes rare, common, or frequent among the oldest rows only. */
const searches: [what: string, query: string][] = [
  ["a name that 10 of a million have", "q=Zxavier"],
  ["part of a name and number", "q=Quillfeather 777"],
  ["a rare word behind a common one", "q=Smith Zxavier"],
  ["two common words, in the other order", "q=Müller Anna"],
  ["a word and two letters", "q=777 an"],
  ["a common name, sort=displayName", "q=Quillfeather&sort=displayName"],
  ["a name that a tenth has", "q=Anna"],
  ["part of an e-mail", "q=4321@exam"],
  ["what none has", "q=zzzzqq"],
  ["what only the oldest twentieth has", "q=old-"],
  ["two letters that are common", "q=an"],
  ["two letters that are rare", "q=zx"],
  ["two letters that none has", "q=qj"],
  ["one letter", "q=x"],
  ["a common name, status=inactive", "q=Anna&status=inactive"],
  ["a rare name, status=inactive", "q=Zxavier&status=inactive"],
];

/** Lists of credentials by their present state. */
export const credentials: Benchmark = async function* (setup, { million }) {
  await fill(setup, million);
  const list = await listing(setup, "/v1/credentials");
  yield* flat(list, "credentials", "", million);
  yield* flat(list, "credentials, sort=expiresAt", "sort=expiresAt", million);
  yield* flat(list, "credentials, sort=-updatedAt, all alike", "sort=-updatedAt", million);
  yield* flat(list, "credentials, state=suspended,revoked", "state=suspended,revoked", million * 0.04);
  yield* flat(list, "credentials, state=active, nine of ten", "state=active", million * 0.85);
  yield* flat(list, "credentials, state=expired, one of twenty", "state=expired", million / 25);
  yield* flat(list, "credentials, state=suspended, one of a thousand", "state=suspended", million / 1000);
  list.close();
};

/**
 * Compares the second page with a page near the end, both by cursor. The cursor near the end is found once, by offset.
 */
async function* flat(
  { get }: Awaited<ReturnType<typeof listing>>,
  name: string,
  filter: string,
  rows: number,
): AsyncGenerator<Row> {
  const second = (await get(filter)).nextCursor!;
  const last = (await get(`${filter}&offset=${Math.floor(rows) - 60}`)).nextCursor!;
  const early = await timings(times, () => get(`${filter}&cursor=${second}`));
  const late = await timings(times, () => get(`${filter}&cursor=${last}`));
  yield {
    name: `${name}: last pages by cursor`,
    value: late.p50,
    unit: "ms p50",
    reference: { name: "second page", value: early.p50 },
    target: { max: 1.5 },
  };
}

async function listing({ server, large }: BenchmarkSetup, path: string) {
  const http = await httpClient(server.origin, 1, { authorization: `Bearer ${large.token}` });
  return {
    get: async (query: string) => JSON.parse(await http.send(0, "GET", encodeURI(`${path}?${query}`))) as List,
    close: http.close,
  };
}

/** Stores a million subjects, each with a credential, unless they exist. */
async function fill({ servedUrl, large }: BenchmarkSetup, million: number): Promise<void> {
  const database = new pg.Client({ connectionString: servedUrl });
  await database.connect();
  const { rowCount } = await database.query(`SELECT 1 FROM subjects WHERE org_id = $1 LIMIT 1`, [large.orgId]);
  if (rowCount === 0) {
    // Building an index over a million rows takes a fifth of the time that it takes to insert them into it.
    const index = await database.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'subjects_search_idx'`,
    );
    await database.query(`DROP INDEX subjects_search_idx`);
    await database.query(fillSubjects, [large.orgId, million]);
    await database.query(`SET maintenance_work_mem = '256MB'`);
    await database.query(index.rows[0]!.indexdef);
    await database.query(fillCredentials, [large.orgId, large.templateId, large.templateVersionId, million]);
    await database.query("VACUUM ANALYZE subjects, credentials");
  }
  await database.end();
}

// Ids in the order of creation, as real ids are.
const id = `('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

const fillSubjects = `
INSERT INTO subjects (org_id, id, external_id, display_name, email, status, attributes)
SELECT $1, ${id}, CASE WHEN n <= $2::int / 20 THEN 'old-' ELSE 'new-' END || n,
  CASE WHEN n % 100000 = 50 THEN 'Zxavier' ELSE (ARRAY['Anna','Ben','Chloé','David','Émile','Fatima','Göran','Hana','Ivan','José'])[1 + n % 10] END || ' ' ||
  (ARRAY['Smith','Quillfeather','Müller','Nguyen','Okafor','Rossi','Sato','Silva'])[1 + (n / 10) % 8] || ' ' || n,
  n || '@example.edu', CASE WHEN n % 50 = 0 THEN 'inactive' ELSE 'active' END, jsonb_build_object('programme', 'Mathematics', 'year', n % 4)
FROM generate_series(1, $2::int) AS n`;

// One in a thousand suspended, one in a thousand pending, one in twenty expired, one in twenty-five revoked.
const fillCredentials = `
INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, expires_at, revoked_at, source_type)
SELECT $1, ${id}, lpad(upper(to_hex(n)), 16, '0'), ${id}, $2, $3, 'membership', state,
  CASE WHEN state = 'pending' THEN now() + interval '1 year' ELSE now() END, CASE WHEN state <> 'pending' THEN now() END,
  CASE WHEN state = 'expired' THEN now() ELSE now() + interval '2 years' END, CASE WHEN state = 'revoked' THEN now() END, 'api'
FROM generate_series(1, $4::int) AS n,
  LATERAL (SELECT CASE WHEN n % 1000 = 1 THEN 'suspended' WHEN n % 1000 = 2 THEN 'pending' WHEN n % 20 = 3 THEN 'expired' WHEN n % 25 = 4 THEN 'revoked' ELSE 'active' END AS state) AS chosen`;
