import type { RequestListener, ServerResponse } from "node:http";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import { listenHttp } from "@/server/outbound/testing/listener";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import type { SubjectView } from "@/server/subjects/view";
import type { RunView } from "../run-view";
import { numbers } from "../testing/feed";
import { fetchNext } from "../run/fetch";
import { pull } from "./pull";
import { httpSettings } from "./settings";
import { person, Source } from "./testing/source";

let w: World;
let source: Source;
beforeAll(async () => {
  w = await world();
});
afterEach(() => source?.close());

const people = async () =>
  (await call("GET", "/v1/subjects?limit=100&status=active", { token: source.token })).json<{ data: SubjectView[] }>()
    .data;
const fresh = async (settings: object = {}, body: object = {}) => {
  w = await world();
  return (source = await Source.open(w, settings, body));
};
const all = (from: number, to: number) => numbers(from, to).map((n) => person(n));

describe("a pull", () => {
  it("reads people from JSON, sends its secret, and changes nothing on the second pull", async () => {
    await fresh({ auth: { type: "bearer" }, records: "data.people" }, { secret: "token-1" });
    source.json(() => ({ data: { people: [...all(1, 12), { ...person(13), id: "12345678901234567890" }] } }));
    expect(await source.sync()).toMatchObject({ status: "succeeded", trigger: "sync", counts: { created: 13 } });
    expect(source.requests[0]!.headers["authorization"]).toBe("Bearer token-1");
    expect((await people()).find(({ externalId }) => externalId === "7")).toMatchObject({
      displayName: "Person 7",
      email: "p7@example.edu",
    });
    expect((await people()).map(({ externalId }) => externalId)).toContain("12345678901234567890");
    expect(await source.sync()).toMatchObject({ identical: true, counts: { created: 0, updated: 0, unchanged: 13 } });
  });

  it.each([
    ["pages", { pagination: { type: "page", parameter: "p" }, total: "total" }, ["?p=1", "?p=2", "?p=3", "?p=4"]],
    ["cursors", { pagination: { type: "cursor", parameter: "after", from: "next" } }, ["", "?after=2", "?after=3"]],
    ["links", { pagination: { type: "link" } }, ["", "?page=2", "?page=3"]],
  ])("follows %s to the end", async (_, settings, queries) => {
    await fresh({ records: "data", ...settings });
    source.answer = (request, response) => {
      const query = new URL(request.url!, source.url).searchParams;
      const page = Number(query.get("p") ?? query.get("after") ?? query.get("page") ?? 1);
      const data = page === 1 ? all(1, 2) : page === 2 ? all(3, 4) : page === 3 ? all(5, 5) : [];
      if (page < 3)
        response.setHeader("link", `<${source.url}?page=1>; rel="first", </people?page=${page + 1}>; rel="next"`);
      response.end(JSON.stringify({ data, total: 5, next: page < 3 ? String(page + 1) : null }));
    };
    expect(await source.sync()).toMatchObject({ status: "succeeded", counts: { created: 5 } });
    expect(source.queries()).toEqual(queries);
  });

  it("reads a CSV file", async () => {
    await fresh(
      { format: "csv", auth: { type: "basic", username: "sis" } },
      { secret: "pass", mapping: { externalId: "id", displayName: "name" } },
    );
    const lines = numbers(1, 30_000).map((n) => `${n},"Person, ${n}"\n`);
    source.answer = (_, response) => {
      for (const line of ["id,name\n", ...lines]) response.write(line);
      response.end();
    };
    expect(await source.sync()).toMatchObject({ status: "succeeded", counts: { rows: 30_000, created: 30_000 } });
    expect(source.requests[0]!.headers["authorization"]).toBe(`Basic ${Buffer.from("sis:pass").toString("base64")}`);
  });

  it("requests only the changes since the last successful pull", async () => {
    await fresh({ since: { parameter: "changed" } }, { mode: "delta", missing: "keep" });
    source.json((query) => (query.has("changed") ? [] : all(1, 3)));
    const first = await source.sync();
    expect(first).toMatchObject({ counts: { created: 3 } });
    expect(await source.sync()).toMatchObject({ status: "succeeded", counts: { rows: 0 } });
    const since = new URLSearchParams(source.queries()[1]!).get("changed")!;
    expect(Date.parse(first.startedAt!) - Date.parse(since)).toBe(5 * 60_000);
  });

  it("requests everybody again after a change of the settings under which it rejected people's rows", async () => {
    await fresh({ since: { parameter: "changed" } }, { mode: "delta", missing: "keep", adopt: "never" });
    await call("PUT", "/v1/subjects", { token: source.token, body: { externalId: "2", displayName: "Mine" } });
    source.json((query) => (query.has("changed") ? [] : all(1, 2)));
    expect(await source.sync()).toMatchObject({ counts: { created: 1, rejected: 1 } });
    await call("PATCH", `/v1/connectors/${source.id}`, { token: source.token, body: { adopt: "externalId" } });
    expect(await source.sync()).toMatchObject({ counts: { rows: 2, updated: 1, rejected: 0 } });
  });

  it("waits as long as the server asks, then requests again", async () => {
    await fresh();
    source.answer = (_, response) => {
      if (source.requests.length === 1) response.writeHead(429, { "retry-after": "0" }).end();
      else response.end(JSON.stringify(all(1, 2)));
    };
    expect(await source.sync()).toMatchObject({ status: "succeeded", counts: { created: 2 } });
    expect(source.requests).toHaveLength(2);
  });
});

describe("a source that misbehaves ends the run with a reason and deactivates nobody:", () => {
  const page = { pagination: { type: "page" } };
  const pageOf = (query: URLSearchParams) => Number(query.get("page"));
  it.each<[string, string, object, () => void]>([
    ["credentials that are refused", "unauthorized", {}, () => (source.answer = (_, to) => to.writeHead(401).end())],
    [
      "an answer that breaks off",
      "cut_off",
      {},
      () =>
        (source.answer = (_, to) => {
          to.writeHead(200, { "content-length": "100000" });
          to.write(JSON.stringify(all(1, 5)), () => to.destroy());
        }),
    ],
    [
      "a web page",
      "not_json",
      {},
      () => (source.answer = (_, to) => to.setHeader("content-type", "text/html").end("<!doctype html><p>Sign in")),
    ],
    ["half of a JSON text", "not_json", {}, () => (source.answer = (_, to) => to.end('[{"id":1'))],
    ["no list", "no_records", {}, () => source.json(() => ({ people: all(1, 20) }))],
    ["an empty list", "no_rows", {}, () => source.json(() => [])],
    [
      "a field that is gone",
      "missing_column",
      {},
      () => source.json(() => all(1, 20).map(({ name: _, ...rest }) => rest)),
    ],
    [
      "pages that become shorter in the middle",
      "page_size_changed",
      page,
      () => source.json((query) => [all(1, 10), all(11, 15), all(16, 20)][pageOf(query) - 1] ?? []),
    ],
    ["pages that ignore their number", "page_repeated", page, () => source.json(() => all(1, 10))],
    [
      "a cursor that goes round",
      "page_repeated",
      { records: "data", pagination: { type: "cursor", from: "next" } },
      () => source.json(() => ({ data: all(1, 2), next: "a" })),
    ],
    [
      "fewer people than it says",
      "incomplete",
      { records: "data", total: "meta.total" },
      () => source.json(() => ({ data: all(1, 5), meta: { total: 20 } })),
    ],
    [
      "a next page on another host",
      "other_host",
      { pagination: { type: "link" } },
      () =>
        (source.answer = (_, to) =>
          to.setHeader("link", '<http://127.0.0.2:9/people>; rel="next"').end(JSON.stringify(all(1, 20)))),
    ],
    ["a redirect", "unreachable", {}, () => (source.answer = (_, to) => to.writeHead(302, { location: "/in" }).end())],
    [
      "a page of 9 MiB",
      "page_too_large",
      {},
      () => source.json(() => [{ ...person(1), more: "x".repeat(9 * 1024 * 1024) }]),
    ],
  ])("%s", async (_, code, settings, misbehave) => {
    await fresh();
    source.json(() => all(1, 20));
    await source.sync();
    const { url } = source;
    const patched = await call("PATCH", `/v1/connectors/${source.id}`, {
      token: await w.key("connectors:write", "connectors:approve"),
      body: { settings: { url, ...settings }, limits: { deactivations: 1000 } },
    });
    expect(patched.status).toBe(200);
    misbehave();
    const run = await source.sync();
    expect([run.status, run.errorSummary?.code]).toEqual(["failed", code]);
    expect(run.counts.deactivated).toBe(0);
    expect(await people()).toHaveLength(20);
  });

  it("silence", async () => {
    const silent = await listenHttp(() => undefined);
    try {
      const settings = httpSettings.parse({ url: `http://127.0.0.1:${silent.port}/` });
      const none = { secret: null, since: null, columns: ["id"], mode: "full" as const };
      const asked = pull({ ...none, settings, signal: AbortSignal.timeout(60_000), timeoutMs: 100 });
      await expect(asked).rejects.toMatchObject({ code: "timeout" });
    } finally {
      await silent.close();
    }
  });

  it("a CSV file that is cut off, or is a web page", async () => {
    await fresh({ format: "csv" }, { mapping: { externalId: "id" } });
    source.answer = (_, to) => void to.write("id\n1\n2\n", () => to.destroy());
    expect(await source.sync()).toMatchObject({ status: "failed", errorSummary: { code: "cut_off" } });
    source.answer = (_, to) => to.end("<html><body>Sign in</body></html>");
    expect(await source.sync()).toMatchObject({ status: "failed", errorSummary: { code: "not_csv" } });
    expect(await people()).toEqual([]);
  });
});

it("a slow source does not delay other sources; an organisation has at most three pulls at once", async () => {
  const opened: Source[] = [];
  const open = async (of: World, answer: RequestListener) => {
    const one = await Source.open(of);
    one.answer = answer;
    opened.push(one);
    return one;
  };
  const quick: RequestListener = (_, response) => response.end(JSON.stringify(all(1, 2)));
  const held: ServerResponse[] = [];
  const begun: Promise<boolean>[] = [];
  try {
    const slowOrg = await world();
    for (let n = 1; n <= 3; n++) {
      expect(await (await open(slowOrg, quick)).sync()).toMatchObject({ status: "succeeded" });
      const slow = await open(slowOrg, (_, response) => void held.push(response));
      await slow.post("/sync");
      begun.push(fetchNext(new Date()));
      await expect.poll(() => held.length).toBe(n);
    }
    const fourth = await open(slowOrg, quick);
    const waiting = (await fourth.post("/sync")).json<RunView>();
    expect(await (await open(await world(), quick)).sync()).toMatchObject({ status: "succeeded" });
    expect((await fourth.run(waiting.id)).status).toBe("queued");
  } finally {
    for (const response of held) response.end("[]");
    await Promise.all(begun);
    await Promise.all(opened.map((one) => one.close()));
  }
});

describe("a secret", () => {
  it("is stored encrypted and never returned", async () => {
    await fresh({ auth: { type: "bearer" } }, { secret: "very-secret" });
    const answer = await call("GET", `/v1/connectors/${source.id}`, { token: source.token });
    expect(answer.text).not.toContain("very-secret");
    expect(answer.json()["secretSetAt"]).toEqual(expect.any(String));
    const [row] = await sql<{ text: string }>(`SELECT c::text AS text FROM connectors c WHERE org_id = $1`, [w.orgId]);
    expect(row!.text).not.toContain(Buffer.from("very-secret").toString("hex"));
    const runs = await source.sync();
    expect(JSON.stringify(runs)).not.toContain("very-secret");
  });

  it("is sent only to the server for which it was entered", async () => {
    await fresh({ auth: { type: "bearer" } }, { secret: "very-secret" });
    const settings = { url: "http://127.0.0.1:49151/other", auth: { type: "bearer" } };
    const patch = (body: object) => call("PATCH", `/v1/connectors/${source.id}`, { token: source.token, body });
    const refused = await patch({ settings });
    expect([refused.status, refused.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      "/secret",
    ]);
    expect((await patch({ settings, secret: "another" })).status).toBe(200);
  });

  it.each([
    [{ auth: { type: "bearer" } }, undefined, "/secret"],
    [{ auth: { type: "none" } }, "x", "/secret"],
    [{ since: { parameter: "s" } }, undefined, "/settings/since"],
    [{ format: "csv", records: "data" }, undefined, "/settings/records"],
    [{ auth: { type: "header", name: "Host" } }, "x", "/settings/auth/name"],
    [{ url: "http://10.0.0.1/people" }, undefined, "/settings/url"],
  ])("and settings that do not match are refused: %j", async (settings, secret, pointer) => {
    const answer = await call("POST", "/v1/connectors", {
      token: await w.key(),
      body: {
        name: "API",
        type: "http",
        mapping: { externalId: "id" },
        settings: { url: "http://127.0.0.1:49151/", ...settings },
        ...(secret && { secret }),
      },
    });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      pointer,
    ]);
  });
});

describe("a test of a source", () => {
  const test = async (settings: object, body: object = {}) =>
    (
      await call("POST", "/v1/connectors/test", {
        token: source.token,
        body: { settings: { url: source.url, ...settings }, ...body },
      })
    ).json<{ ok: boolean; error: { code: string } | null; columns: string[]; rows: string[][] }>();

  it("returns the first people, with the paths of their values as columns", async () => {
    await fresh({ auth: { type: "header", name: "x-key" } }, { secret: "stored" });
    source.json((_, { headers }) => (headers["x-key"] === "stored" ? all(1, 30) : null));
    const settings = { auth: { type: "header", name: "x-key" } };
    const told = await test(settings, { connectorId: source.id });
    expect(told).toMatchObject({
      ok: true,
      columns: ["id", "name.given", "name.family", "emails.0.value", "state"],
      rows: { length: 20 },
    });
    expect(told.rows[1]).toEqual(["2", "Person", "2", "p2@example.edu", "active"]);
    expect(await test(settings, { connectorId: source.id, secret: "other" })).toMatchObject({
      ok: false,
      error: { code: "no_records" },
    });
  });

  it("returns the first lines of a file and reads no further", async () => {
    await fresh();
    source.answer = (_, to) =>
      to.end(
        `id,name\n${numbers(1, 100_000)
          .map((n) => `${n},"P, ${n}"\n`)
          .join("")}`,
      );
    expect(await test({ format: "csv" })).toMatchObject({ ok: true, columns: ["id", "name"], rows: { length: 20 } });
  });
});
