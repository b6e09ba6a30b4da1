import pg from "pg";
import { newId } from "@/server/core/ids";
import type { Bench } from "./bench";
import { client, rate, timings, type Client, type Row } from "./load";

const lanes = 16;

/** POST /v1/credentials to subjects that are there, against a bare loop of the same statements over pg in one process. */
export async function benchIssue({ origin, token, orgId, databaseUrl, seconds }: Bench): Promise<Row[]> {
  const http = client(origin, token, lanes);
  const template = await published(http, "Issue benchmark");
  const subjects = await people(databaseUrl, orgId, lanes * 4000);
  const subjectOf = (lane: number, n: number) => subjects[lane * 4000 + n]!;
  const ours = await rate(lanes, seconds, (lane, n) => http.send("POST", "/v1/credentials", { subject: { id: subjectOf(lane, n) }, templateId: template.id }));

  const other = await published(http, "Issue benchmark, bare");
  await http.close();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: lanes });
  const bare = await rate(lanes, seconds, async (lane, n) => {
    const connection = await pool.connect();
    const [now, id, subject] = [new Date(), newId("crd"), subjectOf(lane, n)];
    await connection.query("BEGIN");
    await connection.query({ name: "ground", text: ground, values: [orgId, subject, other.id] });
    await connection.query({ name: "issue", text: issue, values: [orgId, id, id.slice(-16).toUpperCase(), subject, other.id, other.version.id, now, newId("crh")] });
    await connection.query({ name: "events", text: events, values: [orgId, [newId("evt"), newId("evt")], ["credential.created", "credential.issued"], [id, id], [eventBody, eventBody], now] });
    await connection.query("COMMIT");
    connection.release();
  });
  await pool.end();
  return [{ name: "POST /v1/credentials", value: ours, unit: "requests/s", reference: { name: "the same statements in a bare loop over pg", value: bare }, target: "≥ 25 %" }];
}

/** Lists of credentials in an organisation that has one for each of its subjects, most of them active. */
export async function benchCredentialLists({ origin, token, orgId, databaseUrl, subjects }: Bench): Promise<Row[]> {
  const http = client(origin, token, 1);
  const template = await published(http, "List benchmark");
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(fillSubjects, [orgId, "crd-list-", subjects]);
  await database.query(fillCredentials, [orgId, template.id, template.version.id]);
  await database.query("VACUUM ANALYZE credentials");
  const { rows } = await database.query<{ subject_id: string }>(`SELECT subject_id FROM credentials WHERE org_id = $1 AND template_id = $2 LIMIT 1`, [orgId, template.id]);
  await database.end();

  const get = (query: string) => http.send("GET", `/v1/credentials?${query}`) as Promise<{ nextCursor: string | null; data: unknown[] }>;
  const measured: Row[] = [];
  for (const [what, filter, skip] of [
    ["all", `templateId=${template.id}`, subjects - 200],
    ["state=active, nine of ten", "state=active", Math.floor(subjects * 0.85)],
    ["state=suspended, one of a thousand", "state=suspended", Math.floor(subjects / 1000) - 50],
    ["state=expired, one of twenty", "state=expired", Math.floor(subjects / 25)],
    ["state=pending, one of a thousand", "state=pending", Math.floor(subjects / 1000) - 50],
  ] as const) {
    const first = await timings(50, () => get(filter));
    const { nextCursor } = await get(`${filter}&offset=${skip}`);
    const late = await timings(50, () => get(`${filter}&cursor=${nextCursor!}`));
    measured.push({ name: `credentials, ${what}: last pages by cursor`, value: late.p50, unit: "ms p50", reference: { name: "first page", value: first.p50 }, target: "flat" });
  }
  const { p50 } = await timings(50, () => get(`subjectId=${rows[0]!.subject_id}`));
  measured.push({ name: "credentials of one subject", value: p50, unit: "ms p50" });
  await http.close();
  return measured;
}

interface Template {
  id: string;
  version: { id: string };
}

function published(http: Client, name: string): Promise<Template> {
  return http.send("POST", "/v1/templates", { name, kind: "membership", publish: true }) as Promise<Template>;
}

async function people(databaseUrl: string, orgId: string, n: number): Promise<string[]> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(fillSubjects, [orgId, "crd-issue-", n]);
  const { rows } = await database.query<{ id: string }>(`SELECT id FROM subjects WHERE org_id = $1 AND external_id LIKE 'crd-issue-%' LIMIT $2`, [orgId, n]);
  await database.end();
  return rows.map((row) => row.id);
}

const ground = `
SELECT s.id, s.external_id, s.display_name, s.email, s.status, s.attributes, s.created_at, s.updated_at,
  t.kind, t.status AS template_status, v.id AS version_id, v.validity, v.bindings
FROM subjects s JOIN templates t ON t.org_id = s.org_id AND t.id = $3
LEFT JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = t.current_version
WHERE s.org_id = $1 AND s.id = $2 FOR SHARE OF s`;
const issue = `
WITH made AS (
  INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, data, valid_from, issued_at, source_type, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'membership', 'active', '{}', $7, $7, 'api', $7, $7)
  ON CONFLICT (org_id, subject_id, template_id) WHERE state IN ('pending', 'active', 'suspended') DO NOTHING RETURNING *
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, to_state, actor, created_at) SELECT $1, $8, id, 'issued', state, '{}', $7 FROM made
)
SELECT * FROM made`;
const events = `
INSERT INTO events (org_id, id, type, resource_id, body, created_at)
SELECT $1, id, type, resource_id, body, $6 FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS row (id, type, resource_id, body)`;
const eventBody = JSON.stringify({ filler: "x".repeat(800) });

const fillSubjects = `
INSERT INTO subjects (org_id, id, external_id, display_name)
SELECT $1, new_id('sub'), $2 || n, 'Subject ' || n FROM generate_series(1, $3::int) AS n ON CONFLICT DO NOTHING`;

// One in a thousand suspended, one in a thousand pending, one in twenty expired, one in twenty-five revoked.
const fillCredentials = `
INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, expires_at, revoked_at, source_type)
SELECT $1, new_id('crd'), upper(right(new_id('c'), 16)), subject.id, $2, $3, 'membership', state,
  CASE WHEN state = 'pending' THEN now() + interval '1 year' ELSE now() END, CASE WHEN state <> 'pending' THEN now() END,
  CASE WHEN state = 'expired' THEN now() ELSE now() + interval '2 years' END, CASE WHEN state = 'revoked' THEN now() END, 'api'
FROM (SELECT id, row_number() OVER () AS n FROM subjects WHERE org_id = $1 AND external_id LIKE 'crd-list-%') AS subject,
  LATERAL (SELECT CASE WHEN n % 1000 = 1 THEN 'suspended' WHEN n % 1000 = 2 THEN 'pending' WHEN n % 20 = 3 THEN 'expired' WHEN n % 25 = 4 THEN 'revoked' ELSE 'active' END AS state) AS chosen`;
