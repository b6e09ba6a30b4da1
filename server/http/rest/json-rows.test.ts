import { expect, it } from "vitest";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";

interface Result {
  succeeded: number;
  failed: number;
  data: { ok: boolean; error?: { code: string; errors: { pointer: string; code: string }[] } }[];
}

const bad = String.raw`{"externalId":"n","attributes":{"n":12345678901234567890}}, {"externalId":"z","displayName":"a\u0000"}, {"externalId":"h","attributes":{"a,]":["\ud800"]}}, {"externalId":"t","status":"active","status":"inactive"}`;

it("a row of subjects with inexact JSON is refused alone, and the other rows are written", async () => {
  const w = await world();
  const send = (body: string) =>
    call("POST", "/v1/subjects/bulk", { token, raw: body, headers: { "content-type": "application/json" } });
  const token = await w.key();
  const answer = await send(`{"items": [ {"externalId":"first"}, ${bad}, {"externalId":"last \\" ]"} ] }`);
  expect(answer.status).toBe(200);
  const { data, ...counts } = answer.json<Result>();
  expect(counts).toEqual({ succeeded: 2, failed: 4 });
  expect(
    data.map(({ ok, error }) => (ok ? "ok" : [error!.code, error!.errors[0]!.pointer, error!.errors[0]!.code])),
  ).toEqual([
    "ok",
    ["invalid_request", "/attributes/n", "inexact_number"],
    ["invalid_request", "/displayName", "unstorable_text"],
    ["invalid_request", "/attributes/a,]/0", "unstorable_text"],
    ["invalid_request", "/status", "repeated"],
    "ok",
  ]);
  for (const [body, code] of [
    [`{"items":[${bad}], "x": 12345678901234567890}`, "invalid_request"],
    [`{"items":[${bad}]`, "malformed_json"],
    [`{"items":[], "items":[${bad}]}`, "invalid_request"],
  ]) {
    const refused = await send(body!);
    expect([body, refused.status, refused.json()["code"]]).toEqual([body, 400, code]);
  }
});

it("a bad row of credentials is refused alone, both at once and in a job", async () => {
  const w = await world();
  const token = await w.key();
  const { id } = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
  const body = (n: number) =>
    String.raw`{"action":"update","items":[{"id":"${id}","metadata":{"n":12345678901234567890}},{"id":"${id}","metadata":{"n":${n}}}]}`;
  const send = (n: number, prefer: string) =>
    call("POST", "/v1/credentials/bulk", {
      token,
      raw: body(n),
      headers: { "content-type": "application/json", prefer, "idempotency-key": `k-${n}` },
    });
  expect((await send(1, "wait=1")).json()).toMatchObject({
    succeeded: 1,
    failed: 1,
    data: [{ error: { errors: [{ pointer: "/metadata/n" }] } }, { ok: true }],
  });
  const queued = await send(2, "respond-async");
  expect(queued.status).toBe(202);
  const job = String(queued.json()["id"]);
  let rows: { ok: boolean | null; error?: { errors?: { pointer: string }[] } }[] = [];
  do {
    await runBulkChunk(new Date());
    rows = (await call("GET", `/v1/bulk/${job}/rows`, { token })).json<{ data: typeof rows }>().data;
  } while (rows.length < 2 || rows.some((row) => row.ok === null));
  expect(rows).toMatchObject([{ ok: false, error: { errors: [{ pointer: "/metadata/n" }] } }, { ok: true }]);
});

it("a row that is neither an object nor storable is refused alone in a job too", async () => {
  const token = await (await world()).key();
  const queued = await call("POST", "/v1/credentials/bulk", {
    token,
    raw: String.raw`{"action":"suspend","items":["\ud800",["a\u0000b"],7]}`,
    headers: { "content-type": "application/json", prefer: "respond-async" },
  });
  expect(queued.status).toBe(202);
});
