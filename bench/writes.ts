import type { Benchmark, BenchmarkSetup, Scale } from "./benchmark";
import { httpClient } from "./http-client";
import { inTurns, pace, type Row } from "./measure";
import { recordStatements, replay, type ApiCall } from "./statements";

const lanes = 16;
const rounds = 3;
/** Calls of one bare loop. It takes about as long as the measurement of a rate. */
const replayed = 5000;

type Sent = Omit<ApiCall, "token">;

/** PUT /v1/subjects: half of them new, half changed, as a nightly feed sends them. */
export const upsert: Benchmark = (setup, scale) => againstBareLoop("PUT /v1/subjects", 40, setup, scale, upsertCalls());

/**
 * POST /v1/credentials with an Idempotency-Key, for existing subjects: the integration of section 1 of the
 * specification.
 */
export const issue: Benchmark = (setup, scale) =>
  againstBareLoop("POST /v1/credentials with Idempotency-Key", 25, setup, scale, issueCalls(setup));

/** Each call is made once: either by the server or by the loop. */
async function* againstBareLoop(
  name: string,
  percent: number,
  setup: BenchmarkSetup,
  { seconds }: Scale,
  calls: Iterator<Sent, never>,
): AsyncGenerator<Row> {
  const { token, bareUrl, server } = setup;
  const own = Array.from({ length: rounds * replayed }, () => ({ ...calls.next().value, token }));
  const recorded = await recordStatements(own);
  let round = 0;
  const [ours, bare] = await inTurns(
    rounds,
    async () => {
      const http = await httpClient(server.origin, lanes, { authorization: `Bearer ${token}` });
      const served = await pace(lanes, seconds, server.cpuTime, (lane) => {
        const { method, path, body, headers } = calls.next().value;
        return http.send(lane, method, path, { body, headers: headers ?? {} });
      });
      http.close();
      return served;
    },
    () => replay(bareUrl, lanes, recorded.slice(round * replayed, ++round * replayed)),
  );
  const reference = `the same ${recorded[0]!.length} statements in a bare loop over pg`;
  yield {
    name,
    value: ours.rate,
    unit: "requests/s",
    reference: { name: reference, value: bare.rate },
    target: { min: percent / 100 },
  };
  yield {
    name: `${name}: processor time of the server`,
    value: ours.cpu,
    unit: "ms a request",
    reference: { name: reference, value: bare.cpu },
  };
}

/** A subject is changed long after it was created, so that two lanes never work on the same subject. */
export function* upsertCalls(): Generator<Sent, never> {
  const apart = 4 * lanes;
  for (let n = 0; ; n++) {
    const change = n % 2 === 1 && n > apart;
    const of = change ? (n >> 1) - apart / 2 : n >> 1;
    const body = {
      externalId: `upsert-${change || n % 2 === 0 ? of : `early-${of}`}`,
      displayName: change ? `Renamed ${of}` : `Subject ${of}`,
      email: `${of}@example.edu`,
      attributes: { programme: "Mathematics", year: n % 4 },
    };
    yield { method: "PUT", path: "/v1/subjects", body };
  }
}

export function* issueCalls({ templateId, holders }: BenchmarkSetup): Generator<Sent, never> {
  for (let n = 0; n < holders; n++) {
    const externalId = `holder-${n}`;
    yield {
      method: "POST",
      path: "/v1/credentials",
      body: { subject: { externalId }, templateId },
      headers: { "idempotency-key": `issue-${externalId}` },
    };
  }
  throw new Error("There are not enough holders for a machine this fast: raise holders in setup.ts");
}
