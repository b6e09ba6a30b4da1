import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { runPolicyStep } from "@/server/policies/run/step";
import type { Benchmark, BenchmarkSetup } from "./benchmark";
import { httpClient } from "./http-client";
import { percentile, timings, type Row } from "./measure";
import { recordStatements, recordWork, replayOnce, type ApiCall } from "./statements";

/** How many times a preview and its bare query are measured, in turns. */
const rounds = 5;

/**
 * POST /v1/policies/{id}/preview of a policy whose rule matches four of five people. A quarter of these hold its
 * credential already, and one in a hundred of the holders has to lose it. The organisation was created in this run, so
 * no statistics exist for it.
 */
export const policyPreview: Benchmark = async function* ({ server, servedUrl, fresh }, { million }) {
  const database = new pg.Client({ connectionString: servedUrl });
  // At the end of a failed run the database closes the connection; its error would hide why the run failed.
  database.on("error", () => undefined);
  await database.connect();
  const { orgId, templateId, templateVersionId } = fresh;
  await database.query(fillPeople, [orgId, million]);
  await database.query(fillHeld, [orgId, templateId, templateVersionId, fresh.policyId]);
  const preview = async () => {
    const http = await httpClient(server.origin, 1, { authorization: `Bearer ${fresh.token}` });
    await http.send(0, "POST", `/v1/policies/${fresh.policyId}/preview`, { body: {} });
    http.close();
  };
  // Without statistics the planner would join row by row; the reference is the plan that it has with them.
  await database.query("SET enable_nestloop = off");
  const values: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    values[0].push((await timings(1, preview)).p50);
    values[1].push((await timings(1, () => database.query(bare, [orgId, templateId, fresh.policyId]))).p50);
  }
  await database.end();
  const [ours, reference] = values.map((each) => percentile(each, 0.5) / 1000);
  yield {
    name: `policy preview, ${million.toLocaleString("en")} people, no statistics`,
    value: ours!,
    unit: "s p50",
    reference: { name: "one bare query of the same counts", value: reference! },
    target: { max: 1.5 },
  };
};

/** POST /v1/policies/{id}/apply that issues to 100,000 people, from the request to the end of the run. */
export const policyApply: Benchmark = async function* ({ server, token, bareUrl, policies }: BenchmarkSetup) {
  const values: [number[], number[]] = [[], []];
  for (const id of policies.ids) {
    const call: ApiCall = { method: "POST", path: `/v1/policies/${id}/apply`, token, body: {} };
    const [queueing, working] = [
      await recordStatements([call]),
      await recordWork(async () => {
        while (await runPolicyStep(new Date()));
      }),
    ];
    // Opened anew: the server closes a connection that is idle for as long as the recording takes.
    const http = await httpClient(server.origin, 1, { authorization: `Bearer ${token}` });
    const started = performance.now();
    let run = JSON.parse(await http.send(0, call.method, call.path, { body: {} })) as PolicyRun;
    while (run.status === "running") {
      await pause(20);
      run = JSON.parse(await http.send(0, "GET", `/v1/policies/${id}/runs/${run.id}`)) as PolicyRun;
    }
    if (run.counts.issue !== policies.people) throw new Error(`A run ended with ${JSON.stringify(run)}`);
    values[0].push(policies.people / ((performance.now() - started) / 1000));
    http.close();
    values[1].push(policies.people / (await replayOnce(bareUrl, [...queueing.flat(), ...working])));
  }
  const row: Row = {
    name: "policy apply, 100,000 issues with history and events",
    value: percentile(values[0], 0.5),
    unit: "credentials/s",
    reference: { name: "the same set statements, bare", value: percentile(values[1], 0.5) },
    target: { min: 0.6 },
  };
  yield row;
};

interface PolicyRun {
  id: string;
  status: string;
  counts: { issue: number };
}

// Four of five match. The first quarter holds a credential; one in a hundred of these no longer matches.
const fillPeople = `
INSERT INTO subjects (org_id, id, external_id, display_name, email, attributes)
SELECT $1, uuidv7(), 'person-' || n, 'Person ' || n, 'person-' || n || '@example.edu',
  jsonb_build_object('programme', CASE WHEN n % 5 = 0 THEN 'Law' ELSE 'Mathematics' END, 'year', n % 4)
FROM generate_series(1, $2::int) AS n ORDER BY n`;

const fillHeld = `
INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, kind, state, valid_from, issued_at, source_type, source_id)
SELECT $1, uuidv7(), upper(right(replace(gen_random_uuid()::text, '-', ''), 16)), id, $2, $3, 'student_id', 'active', now(), now(), 'policy', $4
FROM subjects WHERE org_id = $1 AND (attributes ->> 'year')::int = 1 AND (attributes ->> 'programme' = 'Mathematics' OR external_id LIKE '%00')`;

/** Counts what a preview counts: who would get a credential, keep it or lose it. Written as one would by hand. */
const bare = `
SELECT action, count(*) FROM (
  SELECT CASE WHEN c.id IS NULL THEN 'issue' WHEN c.state = 'suspended' THEN 'resume' ELSE 'keep' END AS action
  FROM subjects s LEFT JOIN credentials c ON c.org_id = s.org_id AND c.subject_id = s.id AND c.template_id = $2 AND c.state IN ('pending', 'active', 'suspended')
  WHERE s.org_id = $1 AND s.status = 'active' AND s.attributes ->> 'programme' = 'Mathematics'
  UNION ALL
  SELECT 'suspend' FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
  WHERE c.org_id = $1 AND c.source_type = 'policy' AND c.source_id = $3 AND c.state = 'active'
    AND (s.status = 'active' AND s.attributes ->> 'programme' = 'Mathematics') IS NOT TRUE
) each GROUP BY action`;
