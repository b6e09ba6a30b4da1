import pg from "pg";
import type { Benchmark } from "./benchmark";
import { publicId, type Id } from "@/server/core/ids";
import { formatCode } from "@/server/credentials/code";
import { httpClient } from "./http-client";
import { inTurns, pace } from "./measure";

const lanes = 16;

/**
 * GET /c/{code}, the page that a scanned code opens, and /verify, compared with the decision as JSON. Also measures how long
 * the page of a credential takes to show a revocation that was committed before the request.
 */
export const pages: Benchmark = async function* ({ server, servedUrl, codes, token }, { seconds }) {
  const paceOf = async (path: (n: number) => string) => {
    const http = await httpClient(server.origin, lanes);
    let asked = 0;
    const measured = await pace(lanes, seconds, server.cpuTime, (lane) => http.send(lane, "GET", path(asked++)));
    http.close();
    return measured;
  };
  const known = (n: number) => codes[(n * 31) % codes.length]!;
  const json = () => paceOf((n) => `/public/credentials/${known(n)}`);

  const [page, decision] = await inTurns(5, () => paceOf((n) => `/c/${known(n)}`), json);
  yield {
    name: "page of a credential",
    value: page.rate,
    unit: "pages/s",
    reference: { name: "the same decision as JSON", value: decision.rate },
    target: { min: 0.5 },
  };
  yield { name: "page of a credential, 16 at once, p99", value: page.p99, unit: "ms", target: { max: 50 } };
  yield {
    name: "page of a credential: processor time of the server",
    value: page.cpu,
    unit: "ms a page",
    reference: { name: "the same decision as JSON", value: decision.cpu },
  };

  // None of these pages has a cached QR code, and none is requested twice.
  const fresh = await freshCodes(servedUrl, codes);
  let next = 0;
  const [first, beside] = await inTurns(3, () => paceOf(() => `/c/${fresh[next++ % fresh.length]!}`), json);
  yield {
    name: "page of a credential that nobody opened before",
    value: first.rate,
    unit: "pages/s",
    reference: { name: "the decision as JSON", value: beside.rate },
  };

  const [verify, besideVerify] = await inTurns(3, () => paceOf(() => "/verify"), json);
  yield {
    name: "the page /verify",
    value: verify.rate,
    unit: "pages/s",
    reference: { name: "the decision as JSON", value: besideVerify.rate },
    target: { min: 0.5 },
  };
  yield { name: "the page /verify, 16 at once, p99", value: verify.p99, unit: "ms", target: { max: 50 } };

  const http = await httpClient(server.origin, 1);
  const authorization = `Bearer ${token}`;
  let told = 0;
  const revoked = codes.slice(0, 50);
  const idOf = await idsOf(servedUrl, revoked);
  for (const code of revoked) {
    await http.send(0, "GET", `/c/${code}`);
    await http.send(0, "POST", `/v1/credentials/${idOf.get(code)!}/revoke`, {
      headers: { authorization },
      body: { reason: "Benchmark" },
    });
    if ((await http.send(0, "GET", `/c/${code}`)).includes('data-result="invalid"')) told++;
  }
  http.close();
  yield {
    name: "pages that tell a revocation in the next request",
    value: told / revoked.length,
    unit: "of 1",
    target: { min: 1 },
  };
};

async function idsOf(databaseUrl: string, codes: string[]): Promise<Map<string, string>> {
  const rows = await select<{ id: Id<"crd">; code: string }>(
    databaseUrl,
    "SELECT id, code FROM credentials WHERE code = ANY($1)",
    [codes.map((code) => code.replaceAll("-", ""))],
  );
  return new Map(rows.map(({ id, code }) => [formatCode(code), publicId("crd", id)]));
}

/** Codes in the form of URLs, without those that other benchmarks use. */
async function freshCodes(databaseUrl: string, but: string[]): Promise<string[]> {
  const rows = await select<{ code: string }>(databaseUrl, "SELECT code FROM credentials ORDER BY id DESC LIMIT 60000");
  const used = new Set(but);
  return rows.map(({ code }) => formatCode(code)).filter((code) => !used.has(code));
}

async function select<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Row>(sql, values);
  await client.end();
  return rows;
}
