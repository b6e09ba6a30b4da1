import pg from "pg";
import { readId } from "@/server/core/ids";
import type { Benchmark, BenchmarkSetup } from "./benchmark";
import { httpClient, type Client } from "./http-client";
import { inTurns, pace, percentile, timings, type Row } from "./measure";

const times = 40;
const lanes = 16;
const rounds = 3;
const bulkSize = 50;

/** A SCIM connection with a million users: groups that change, users that are created, look-ups and lists. */
export const directories: Benchmark = async function* (setup, scale) {
  const directory = await connect(setup);
  await fill(setup, directory.connectorId, scale.million);
  const database = new pg.Client({ connectionString: setup.servedUrl });
  await database.connect();
  // Closed also after a failure, whose cause would be hidden by the end of the database otherwise.
  try {
    yield* patches(setup, directory, database, scale.million);
    yield* creates(setup, directory, scale.seconds);
    yield* reads(setup, directory, database, scale.million);
  } finally {
    await database.end();
  }
};

interface Directory {
  connectorId: string;
  /** Opens connections for one part of the benchmark: the server closes those that stand idle. */
  open(lanes: number): Promise<Client>;
}

async function connect({ server, token }: BenchmarkSetup): Promise<Directory> {
  const api = await httpClient(server.origin, 1, { authorization: `Bearer ${token}` });
  const post = async (path: string, body: object) =>
    JSON.parse(await api.send(0, "POST", path, { body })) as { id: string; secret: string };
  const { id } = await post("/v1/connectors", { name: "Directory", type: "scim" });
  const { secret } = await post(`/v1/connectors/${id}/tokens`, {});
  api.close();
  return {
    connectorId: id,
    open: (count) => httpClient(server.origin, count, { authorization: `Bearer ${secret}` }),
  };
}

/** A PATCH that adds members, and one that removes them, in turns. */
async function* patches(
  { orgId }: BenchmarkSetup,
  { open }: Directory,
  database: pg.Client,
  million: number,
): AsyncGenerator<Row> {
  const http = await open(1);
  const answer = JSON.parse(
    await http.send(0, "POST", "/scim/v2/Groups", { body: { displayName: "Everybody", externalId: "everybody" } }),
  ) as { id: string };
  const bare = `bare-${million}`;
  await database.query(`INSERT INTO groups (org_id, id, name, kind) VALUES ($1, uuidv7(), $2, 'static')`, [
    orgId,
    bare,
  ]);
  for (const [size, max] of [
    [256, 20],
    [5_000, 300],
  ] as const) {
    if (size > million) continue;
    const value = Array.from({ length: size }, (_, n) => ({ value: `dir-${n + 1}` }));
    let op = "remove";
    const patch = () => {
      op = op === "add" ? "remove" : "add";
      return http.send(0, "PATCH", `/scim/v2/Groups/${answer.id}`, {
        body: { Operations: [{ op, path: "members", value }] },
      });
    };
    let adds = false;
    const write = () => {
      adds = !adds;
      return database.query(
        adds ? insertBare : deleteBare,
        [orgId, bare, value.map((each) => each.value)].slice(0, adds ? 3 : 2),
      );
    };
    const [ours, reference] = [await timings(times, patch), await timings(times, write)];
    yield {
      name: `SCIM: PATCH of ${size.toLocaleString("en")} members`,
      value: ours.p50,
      unit: "ms p50",
      target: { max },
    };
    yield { name: "the rows of these members alone, bare", value: reference.p50, unit: "ms p50" };
  }
  http.close();
}

/** Users a second: by POST and, in turns with it, the same people by PUT /v1/subjects; and by bulk requests. */
async function* creates({ server, token }: BenchmarkSetup, { open }: Directory, seconds: number): AsyncGenerator<Row> {
  let n = 0;
  const user = () => {
    const name = `new-${++n}@example.org`;
    return { userName: name, externalId: name, displayName: `New ${n}`, emails: [{ value: name, type: "work" }] };
  };
  const subject = () => ({ externalId: `put-${++n}`, displayName: `New ${n}`, email: `put-${n}@example.org` });
  const api = () => httpClient(server.origin, lanes, { authorization: `Bearer ${token}` });
  const paced = async (http: Client, count: number, send: (lane: number) => Promise<unknown>) => {
    const measured = await pace(count, seconds, server.cpuTime, send);
    http.close();
    return measured;
  };
  const post = (http: Client) =>
    paced(http, lanes, (lane) => http.send(lane, "POST", "/scim/v2/Users", { body: user() }));
  const put = (http: Client) =>
    paced(http, lanes, (lane) => http.send(lane, "PUT", "/v1/subjects", { body: subject() }));
  const [ours, reference] = await inTurns(
    rounds,
    async () => post(await open(lanes)),
    async () => put(await api()),
  );
  yield { name: "SCIM: users created by POST", value: ours.rate, unit: "users/s", target: { min: 500 } };
  const name = "PUT /v1/subjects";
  const turns = { name: `${name}, in turns with it`, value: reference.rate };
  yield { name: "SCIM: users created by POST", value: ours.rate, unit: "users/s", reference: turns };
  yield {
    name: "SCIM: POST of a user: processor time of the server",
    value: ours.cpu,
    unit: "ms a request",
    reference: { name, value: reference.cpu },
  };
  const http = await open(1);
  const bulk = await paced(http, 1, () => {
    const Operations = Array.from({ length: bulkSize }, (_, n) => ({
      method: "POST",
      path: "/Users",
      bulkId: String(n),
      data: user(),
    }));
    return http.send(0, "POST", "/scim/v2/Bulk", { body: { Operations } });
  });
  yield {
    name: `SCIM: users created by /Bulk, ${bulkSize} a request, one request at a time`,
    value: bulk.rate * bulkSize,
    unit: "users/s",
    reference: { name: `POST /Users, ${lanes} at a time`, value: ours.rate },
  };
}

/** Look-ups as Entra and Okta send them before each write, and lists from end to end. */
async function* reads(
  { orgId }: BenchmarkSetup,
  { open, connectorId }: Directory,
  database: pg.Client,
  million: number,
): AsyncGenerator<Row> {
  const http = await open(1);
  const get = async (query: string) =>
    JSON.parse(await http.send(0, "GET", `/scim/v2/Users?${query}`)) as { nextCursor: string; totalResults: number };
  const bare = await timings(times, () => database.query(findBare, [orgId, readId("con", connectorId), "dir-77"]));
  for (const filter of [
    'userName eq "dir-77"',
    'externalId eq "dir-77"',
    'emails[type eq "work"].value eq "dir-77@example.org"',
  ]) {
    const { p50 } = await timings(times, () => get(`filter=${encodeURIComponent(filter)}`));
    yield {
      name: `SCIM: ${filter}, among a million users`,
      value: p50,
      unit: "ms p50",
      target: { max: 5 },
    };
  }
  yield { name: "the same look-up by userName, bare", value: bare.p50, unit: "ms p50" };
  const second = (await get("cursor=&count=100")).nextCursor;
  let late = second;
  // Cursors are not made up: the last pages are reached by following the largest ones.
  for (let n = 1_000; n < million - 1_000; n += 1_000)
    late = (await get(`count=1000&attributes=id&cursor=${encodeURIComponent(late)}`)).nextCursor;
  const page = (cursor: string) => () => get(`count=100&cursor=${encodeURIComponent(cursor)}`);
  // In turns, so that other work on the machine affects both equally.
  const taken = { first: [] as number[], last: [] as number[] };
  for (let n = 0; n < times; n++)
    for (const [which, cursor] of [
      ["first", second],
      ["last", late],
    ] as const)
      taken[which].push((await timings(1, page(cursor))).p50);
  const [first, last] = [percentile(taken.first, 0.5), percentile(taken.last, 0.5)];
  yield {
    name: "SCIM: last pages of users by cursor",
    value: last,
    unit: "ms p50",
    reference: { name: "second page", value: first },
    target: { max: 1.5 },
  };
  http.close();
}

const insertBare = `
INSERT INTO group_members (org_id, group_id, subject_id, added_at)
SELECT $1, g.id, s.id, now() FROM groups g, subjects s WHERE g.org_id = $1 AND g.name = $2 AND s.org_id = $1 AND s.external_id = ANY($3::text[])`;
const deleteBare = `DELETE FROM group_members m USING groups g WHERE g.org_id = $1 AND g.name = $2 AND m.org_id = $1 AND m.group_id = g.id`;
const findBare = `SELECT resource FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND user_key = $3 AND hidden_at IS NULL`;

/** Users dir-1, dir-2, … of the connection. */
async function fill({ servedUrl, orgId }: BenchmarkSetup, connectorId: string, million: number): Promise<void> {
  const database = new pg.Client({ connectionString: servedUrl });
  await database.connect();
  const key = [orgId, readId("con", connectorId), million];
  await database.query(fillSubjects, [orgId, million]);
  await database.query(fillUsers, key);
  await database.query(fillSources, key);
  await database.query("VACUUM ANALYZE subjects, scim_users, subject_sources");
  await database.end();
}

const id = `('019b0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

const fillSubjects = `
INSERT INTO subjects (org_id, id, external_id, display_name, email)
SELECT $1, ${id}, 'dir-' || n, 'Person ' || n, 'dir-' || n || '@example.org' FROM generate_series(1, $2::int) AS n`;
const fillUsers = `
INSERT INTO scim_users (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at)
SELECT $1, $2, ${id}, 'dir-' || n, 'dir-' || n, true, ARRAY['dir-' || n || '@example.org'],
  jsonb_build_object('userName', 'dir-' || n, 'externalId', 'dir-' || n, 'active', true, 'displayName', 'Person ' || n,
    'emails', jsonb_build_array(jsonb_build_object('value', 'dir-' || n || '@example.org', 'type', 'work'))), now(), now()
FROM generate_series(1, $3::int) AS n`;
const fillSources = `
INSERT INTO subject_sources (org_id, subject_id, type, source_id, key, last_seen_at)
SELECT $1, ${id}, 'scim', $2, 'dir-' || n, now() FROM generate_series(1, $3::int) AS n`;
