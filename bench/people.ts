import { randomUUID } from "node:crypto";
import { chmodSync, createWriteStream, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Benchmark, BenchmarkSetup, Organisation } from "./benchmark";
import { peopleFile } from "./university-file";

const mebibyte = 1024 * 1024;

/**
 * A CSV file of a million people by a connector, from the upload to the end of its run: the first import beside COPY, one
 * upsert and the same events over bare pg, and the same rows in other bytes beside the first import. Also the most
 * resident memory of the server, which reads, applies and numbers the events in one process.
 */
export const people: Benchmark = async function* ({ server, servedUrl, bareUrl, fresh }, { million }) {
  const name = `${million.toLocaleString("en")} rows of CSV`;
  const file = join(tmpdir(), `bonafide-bench-${randomUUID()}.csv`);
  await pipeline(peopleFile(million, false), createWriteStream(file));
  // The server of the database reads it too.
  chmodSync(file, 0o644);
  try {
    const connector = await createFeed(server.origin, fresh.token);
    forgetPeak(server.pid);
    const first = await seconds(() => imported({ origin: server.origin, token: fresh.token, connector }, file, "\n"));
    const again = await seconds(() => imported({ origin: server.origin, token: fresh.token, connector }, file, "\n\n"));
    const peak = peakOf(server.pid);
    const bare = await bareImport({ servedUrl, bareUrl, orgId: fresh.orgId }, file);
    yield {
      name: `first import of ${name}`,
      value: first,
      unit: "s",
      reference: { name: "COPY, one upsert and the same events, bare", value: bare },
      target: { max: 2 },
    };
    yield {
      name: `the same ${name} in other bytes`,
      value: again,
      unit: "s",
      reference: { name: "the first import", value: first },
      target: { max: 0.5 },
    };
    if (peak !== null)
      yield { name: `peak memory of the server, ${name}`, value: peak, unit: "MB resident", target: { max: 400 } };
  } finally {
    rmSync(file, { force: true });
  }
};

async function createFeed(origin: string, token: string): Promise<string> {
  const answer = await fetch(`${origin}/v1/connectors`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: "Registry",
      type: "csv",
      mapping: {
        externalId: "student_id",
        displayName: "full_name",
        email: "email",
        attributes: { programme: "programme", year: "year" },
      },
    }),
  });
  return ((await answer.json()) as { id: string }).id;
}

interface Feed {
  origin: string;
  token: string;
  connector: string;
}

/** Uploads the file, with more line ends after its last one, and waits for its run. */
async function imported({ origin, token, connector }: Feed, file: string, end: string): Promise<void> {
  const authorization = `Bearer ${token}`;
  const path = `${origin}/v1/connectors/${connector}`;
  const body = Buffer.concat([readFileSync(file), Buffer.from(end.slice(1))]);
  const answer = await fetch(`${path}/upload`, {
    method: "POST",
    headers: { authorization, "content-type": "text/csv" },
    body,
  });
  const { id } = (await answer.json()) as { id: string };
  for (;;) {
    const run = (await (await fetch(`${path}/runs/${id}`, { headers: { authorization } })).json()) as {
      status: string;
      identical: boolean;
      errorSummary: { message: string } | null;
    };
    if (run.status === "succeeded" && !run.identical) return;
    if (run.status !== "queued" && run.status !== "running")
      throw new Error(`The run ended as ${run.status}: ${run.errorSummary?.message}`);
    await pause(50);
  }
}

async function bareImport(
  { servedUrl, bareUrl, orgId }: Pick<BenchmarkSetup, "servedUrl" | "bareUrl"> & { orgId: Organisation["orgId"] },
  file: string,
): Promise<number> {
  const [served, bare] = [servedUrl, bareUrl].map((url) => new pg.Client({ connectionString: url })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([served.connect(), bare.connect()]);
  try {
    const { rows } = await served.query<{ body: string }>(
      `SELECT body FROM events WHERE org_id = $1 AND type = 'subject.created' LIMIT 1`,
      [orgId],
    );
    return await seconds(async () => {
      await bare.query("BEGIN");
      await bare.query(
        "CREATE TEMP TABLE sent (student_id text, full_name text, email text, programme text, year text) ON COMMIT DROP",
      );
      await bare.query(`COPY sent FROM '${file}' (FORMAT csv, HEADER)`);
      await bare.query(upsert, [orgId, rows[0]!.body]);
      await bare.query("COMMIT");
    });
  } finally {
    await Promise.all([served.end(), bare.end()]);
  }
}

const upsert = `
WITH written AS (
  INSERT INTO subjects (org_id, id, external_id, display_name, email, attributes, created_at, updated_at)
  SELECT $1, uuidv7(), student_id, full_name, email, jsonb_build_object('programme', programme, 'year', year), now(), now() FROM sent
  ON CONFLICT (org_id, external_id) DO UPDATE SET display_name = excluded.display_name, email = excluded.email, attributes = excluded.attributes, updated_at = excluded.updated_at
    WHERE (subjects.display_name, subjects.email, subjects.attributes) IS DISTINCT FROM (excluded.display_name, excluded.email, excluded.attributes)
  RETURNING id
),
made AS MATERIALIZED (SELECT uuidv7() AS event_id, id FROM written),
stored AS (
  INSERT INTO events (org_id, id, type, resource_id, body, created_at) SELECT $1, event_id, 'subject.created', id, $2, now() FROM made
)
INSERT INTO event_outbox (org_id, id, type, resource_id, created_at, actor_id)
SELECT $1, event_id, 'subject.created', id, now(), 'benchmark' FROM made`;

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Resets the measured peak of a process's resident memory, on Linux. */
function forgetPeak(pid: number): void {
  if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** The peak of a process's resident memory, in MB; null if the system does not report it. */
function peakOf(pid: number): number | null {
  const status = `/proc/${pid}/status`;
  const found = existsSync(status) && /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, "utf8"));
  return found ? (Number(found[1]) * 1024) / mebibyte : null;
}
