import { setTimeout as pause } from "node:timers/promises";
import type { Benchmark, BenchmarkSetup } from "./benchmark";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { httpClient } from "./http-client";
import { percentile, type Row } from "./measure";
import { recordStatements, recordWork, replayOnce, type ApiCall } from "./statements";

const rounds = 3;
/** Rows of a request: as many as are processed without a job. */
const size = 500;
const requests = 40;

/** POST /v1/credentials/bulk: credentials with their history and two events each, for existing subjects. */
export const bulkIssue: Benchmark = async function* (setup) {
  const { server, token, bareUrl } = setup;
  const calls = issueCalls(setup);
  const take = (n: number) => Array.from({ length: n }, () => calls.next().value);
  const recorded = await recordStatements(take(rounds * requests));
  const http = await httpClient(server.origin, 1, { authorization: `Bearer ${token}` });
  const send = async ({ method, path, body }: ApiCall) =>
    void (await http.send(0, method, path, { body, headers: {} }));
  // Warm up first, so that compilation is not measured.
  for (const call of take(20)) await send(call);
  const values: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const own = take(requests);
    values[0].push(
      (requests * size) /
        (await seconds(async () => {
          for (const call of own) await send(call);
        })),
    );
    values[1].push(
      (requests * size) / (await replayOnce(bareUrl, recorded.slice(round * requests, (round + 1) * requests).flat())),
    );
  }
  http.close();
  yield row("bulk issue, 500 a request, with history and events", values, 0.6);
};

/** POST /v1/templates/{id}/revoke-credentials, from the request to the end of its job. */
export const revokeTemplate: Benchmark = async function* ({ server, token, bareUrl, revocable }) {
  const http = await httpClient(server.origin, 1, { authorization: `Bearer ${token}` });
  const values: [number[], number[]] = [[], []];
  for (const templateId of revocable.templateIds) {
    const call: ApiCall = {
      method: "POST",
      path: `/v1/templates/${templateId}/revoke-credentials`,
      token,
      body: { reason: "Recalled", expectedCount: revocable.credentials },
    };
    const [queueing, working] = [
      await recordStatements([call]),
      await recordWork(async () => {
        while (await runBulkChunk(new Date()));
      }),
    ];
    values[0].push(
      revocable.credentials /
        (await seconds(async () => {
          const { id } = JSON.parse(await http.send(0, call.method, call.path, { body: call.body, headers: {} })) as {
            id: string;
          };
          while ((JSON.parse(await http.send(0, "GET", `/v1/bulk/${id}`)) as { status: string }).status !== "completed")
            await pause(10);
        })),
    );
    values[1].push(revocable.credentials / (await replayOnce(bareUrl, [...queueing.flat(), ...working])));
  }
  http.close();
  yield row("revoke by template, with history and events", values, 0.6);
};

const row = (name: string, [ours, bare]: [number[], number[]], min: number): Row => ({
  name,
  value: percentile(ours, 0.5),
  unit: "credentials/s",
  reference: { name: "the same set statements, bare", value: percentile(bare, 0.5) },
  target: { min },
});

async function seconds(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function* issueCalls({ token, holders, bulkTemplateIds }: BenchmarkSetup): Generator<ApiCall, never> {
  for (const templateId of bulkTemplateIds) {
    for (let from = 0; from + size <= holders; from += size) {
      const items = Array.from({ length: size }, (_, i) => ({
        subject: { externalId: `holder-${from + i}` },
        templateId,
      }));
      yield { method: "POST", path: "/v1/credentials/bulk", token, body: { action: "issue", items } };
    }
  }
  throw new Error("There are not enough templates for so many requests: raise bulkTemplates in setup.ts");
}
