import { once } from "node:events";
import { request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { csvDownload } from "@/server/core/csv";
import { csvRow } from "@/server/core/csv-row";
import type { Download } from "@/server/core/download";
import { query } from "@/server/core/operation";
import { bulkCredentials } from "@/server/credentials/bulk";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { createTemplate } from "@/server/templates/create";
import { frontDoor, type FrontDoor } from "@/server/http/web/front-door";
import { apiListener } from "@/server/http/web/listener";
import { csv, route } from "./route";

let mine: World;
let token: string;
// Workers take the jobs of all organisations, so these tests have their own database.
let drop: () => Promise<void>;
afterAll(() => drop());
beforeAll(async () => {
  drop = await ownDatabase();
  mine = await world();
  token = await mine.key("subjects:read", "credentials:read");
  const items = Array.from({ length: 620 }, (_, n) => ({
    externalId: `s-${String(n).padStart(4, "0")}`,
    displayName: n === 7 ? '=HYPERLINK("http://evil")' : `Zoë, "${n}"`,
    attributes: { n },
    ...(n % 2 && { status: "inactive" as const }),
  }));
  await bulkUpsertSubjects(mine.ctx, { items });
});

/** Parses a CSV file by the grammar of RFC 4180. */
function cells(text: string): string[][] {
  expect(text.startsWith("\ufeff")).toBe(true);
  return text
    .slice(1)
    .split("\r\n")
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!,
      ),
    );
}

describe("GET /v1/subjects/export", () => {
  it("holds all subjects of the list in its order, over more than one page", async () => {
    const answer = await call("GET", "/v1/subjects/export?sort=externalId", { token });
    expect([
      answer.headers.get("content-type"),
      answer.headers.get("content-disposition"),
      answer.headers.get("cache-control"),
    ]).toEqual([
      "text/csv; charset=utf-8",
      expect.stringMatching(/^attachment; filename="subjects-\d{4}-\d\d-\d\d\.csv"$/),
      "no-store",
    ]);
    const [head, ...rows] = cells(answer.text);
    expect(head).toEqual([
      "id",
      "externalId",
      "displayName",
      "email",
      "status",
      "attributes",
      "photoUpdatedAt",
      "createdAt",
      "updatedAt",
    ]);
    expect(rows.map((row) => row[1])).toEqual(Array.from({ length: 620 }, (_, n) => `s-${String(n).padStart(4, "0")}`));
    expect([rows[3]![2], rows[3]![5]]).toEqual(['Zoë, "3"', '{"n":3}']);
  });

  it("takes the filters and the search of the list", async () => {
    const count = async (narrowed: string) =>
      cells((await call("GET", `/v1/subjects/export?${narrowed}`, { token })).text).length - 1;
    expect([await count("status=inactive"), await count("q=s-000"), await count("externalId=none")]).toEqual([
      310, 10, 0,
    ]);
  });

  it("turns values that a spreadsheet would run as a formula into text", async () => {
    const [, row] = cells((await call("GET", "/v1/subjects/export?externalId=s-0007", { token })).text);
    expect(row![2]).toBe(`'=HYPERLINK("http://evil")`);
    expect(csvRow(["=1", "+1+1", "-x", "@SUM", "\t=1", " =1", "-5", "+3.5", "a=b", null, 7, true, { a: 1 }])).toBe(
      `'=1,'+1+1,'-x,'@SUM,"'\t'=1",' =1,-5,+3.5,a=b,,7,true,"{""a"":1}"\r\n`,
    );
  });

  it("does so after a separator of another locale too, and quotes values that hold one", () => {
    const formulas = ["x;=1+1;y", "x\t@SUM", 'x; "=1"', "x\n=1", "5;-3;-x", "a;b", { a: 'x; "=1+1' }];
    const quoted = [
      "x;'=1+1;y",
      "x\t'@SUM",
      `x;' ""=1""`,
      "x\n'=1",
      "5;-3;'-x",
      "a;b",
      '{""a"":""x; \\""\\u003d1+1""}',
    ].map((each) => `"${each}"`);
    expect(csvRow(formulas)).toBe(`${quoted.join(",")}\r\n`);
    expect(JSON.parse(cells(`\ufeff${csvRow([formulas.at(-1)])}`)[0]![0]!)).toEqual(formulas.at(-1));
  });

  it("answers a refusal with a problem document instead of a file", async () => {
    const answer = await call("GET", "/v1/subjects/export?status=none", { token });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/problem+json"]);
  });
});

it("GET /v1/credentials/export names holder and template", async () => {
  const template = await createTemplate(mine.ctx, { name: "Members", kind: "membership", publish: true });
  await issueCredential(mine.ctx, { subject: { externalId: "s-0004" }, templateId: template.id });
  const [head, row] = cells((await call("GET", `/v1/credentials/export?templateId=${template.id}`, { token })).text);
  const of = (column: string) => row![head!.indexOf(column)];
  expect([of("externalId"), of("holder"), of("template"), of("state"), of("code")]).toEqual([
    "s-0004",
    'Zoë, "4"',
    "Members",
    "active",
    expect.stringMatching(/^[0-9A-Z]{4}-/),
  ]);
});

it("GET /v1/bulk/{id}/rows/export?ok=false holds the rows to correct, with their number and error", async () => {
  const template = await createTemplate(mine.ctx, { name: "Staff", kind: "membership", publish: true });
  const items = [
    { subject: { externalId: "s-0002" }, templateId: template.id },
    { subject: { externalId: "new", displayName: "New Person", email: "no address" }, templateId: template.id },
  ];
  const { job } = await bulkCredentials(mine.ctx, { action: "issue", items, respondAsync: true });
  while (await runBulkChunk(new Date()));
  const [head, ...rows] = cells((await call("GET", `/v1/bulk/${job!.id}/rows/export?ok=false`, { token })).text);
  expect(head).toContain("changed");
  const of = (column: string) => rows[0]![head!.indexOf(column)];
  expect([rows.length, of("row"), of("ok"), of("error")]).toEqual([1, "2", "false", "invalid_request"]);
  expect(of("fields")).toContain("/subject/email");
  expect([of("externalId"), of("name")]).toEqual(["new", "New Person"]);
  expect(JSON.parse(of("item")!)).toEqual(items[1]);
  const { data } = (await call("GET", `/v1/bulk/${job!.id}/rows`, { token })).json<{ data: object[] }>();
  expect(data).toMatchObject([{ ok: true }, { ok: false, externalId: "new" }]);
  expect(data[0]).not.toHaveProperty("externalId");
});

it("GET /v1/bulk/{id}/rows/export?ok=false names the holders of the refused credentials", async () => {
  const template = await createTemplate(mine.ctx, { name: "Alumni", kind: "membership", publish: true });
  const { credential } = await issueCredential(mine.ctx, {
    subject: { externalId: "s-0004" },
    templateId: template.id,
  });
  await revokeCredential(mine.ctx, { id: credential.id, reason: "Left." });
  const items = [{ id: credential.id }, { id: "crd_unknown" }];
  const { job } = await bulkCredentials(mine.ctx, { action: "suspend", items, respondAsync: true });
  while (await runBulkChunk(new Date()));
  const [head, ...rows] = cells((await call("GET", `/v1/bulk/${job!.id}/rows/export?ok=false`, { token })).text);
  const told = rows.map((row) => ["externalId", "name", "error"].map((column) => row[head!.indexOf(column)]));
  expect(told).toEqual([
    ["s-0004", 'Zoë, "4"', "credential_state"],
    ["", "", "not_found"],
  ]);
});

it("GET /v1/bulk/{id}/rows/export tells for each row whether it changed something", async () => {
  const template = await createTemplate(mine.ctx, { name: "Guests", kind: "membership", publish: true });
  const { credential } = await issueCredential(mine.ctx, {
    subject: { externalId: "s-0002" },
    templateId: template.id,
  });
  const revoke = async () => {
    const { job } = await bulkCredentials(mine.ctx, {
      action: "revoke",
      items: [{ id: credential.id, reason: "Left." }],
      respondAsync: true,
    });
    while (await runBulkChunk(new Date()));
    const [head, row] = cells((await call("GET", `/v1/bulk/${job!.id}/rows/export`, { token })).text);
    return ["changed", "externalId"].map((column) => row![head!.indexOf(column)]);
  };
  expect([await revoke(), await revoke()]).toEqual([
    ["true", "s-0002"],
    ["false", "s-0002"],
  ]);
});

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a front door on a free port, with the API or with one route instead. */
async function listening(api: FrontDoor["api"], limits: FrontDoor["limits"] = {}) {
  const server = frontDoor({ api, pages: async () => undefined, limits }).listen(0, "127.0.0.1");
  open.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return (path: string) => {
    const request = httpRequest({ port, host: "127.0.0.1", path, headers: { authorization: `Bearer ${token}` } });
    request.on("error", () => undefined).end();
    return request;
  };
}

/** Builds a route that answers with a file of these chunks. */
function routeOf(chunks: () => AsyncGenerator<string>) {
  const operation = query({
    name: "test.export",
    scope: "subjects:read",
    input: z.strictObject({}),
    run: async (): Promise<Download> => ({ type: "text/csv", chunks: chunks() }),
  });
  const handler = route({ operation, summary: "Exports", response: null, download: csv });
  return getRequestListener((request) => handler(request), { overrideGlobalObjects: false });
}

describe("a streamed response", () => {
  it("arrives whole over HTTP", async () => {
    const ask = await listening(apiListener());
    const [response] = await once(ask("/v1/subjects/export"), "response");
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk;
    expect(cells(`\ufeff${text.replace(/^\ufeff/, "")}`)).toHaveLength(621);
  });

  it("is produced no faster than the client reads, and ends when the client leaves", async () => {
    let made = 0;
    let ended!: () => void;
    const end = new Promise<void>((resolve) => (ended = resolve));
    const piece = "x".repeat(64 * 1024);
    const ask = await listening(
      routeOf(async function* () {
        try {
          for (; made < 4096; made++) yield piece;
        } finally {
          ended();
        }
      }),
    );
    const request = ask("/v1/export");
    const [response] = await once(request, "response");
    await once(response, "readable");
    request.destroy();
    await end;
    // What the two sockets buffer, not the whole 256 MiB.
    expect(made * piece.length).toBeLessThan(32 * 1024 * 1024);
  });

  it("breaks off when it fails in the middle, so that it does not look whole", async () => {
    const ask = await listening(
      routeOf(async function* () {
        yield "a,b\r\n";
        throw new Error("the database went away");
      }),
    );
    const [response] = await once(ask("/v1/export"), "response");
    response.resume();
    const [error] = await once(response, "error");
    expect([response.complete, (error as NodeJS.ErrnoException).code]).toEqual([false, "ECONNRESET"]);
  });

  it("may take longer than other responses while the client reads, and is cut off when the client stops reading", async () => {
    const steps = 30;
    let ended = false;
    const slow = routeOf(async function* () {
      for (let n = 0; n < steps; n++) {
        yield "x".repeat(20_000);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    });
    const ask = await listening(slow, { answerMs: 1000, checkMs: 10 });
    const [response] = await once(ask("/v1/export"), "response");
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    expect(size).toBe(steps * 20_000);
    const stuck = await listening(
      routeOf(async function* () {
        try {
          for (;;) yield "x".repeat(64 * 1024);
        } finally {
          ended = true;
        }
      }),
      { answerMs: 1000, checkMs: 10 },
    );
    const [left] = await once(stuck("/v1/export"), "response");
    left.on("error", () => undefined);
    await expect.poll(() => ended).toBe(true);
  });
});

describe("csvDownload", () => {
  it("reads one page at a time, when it is needed, and none after it is ended", async () => {
    const asked: (string | null)[] = [];
    const download = await csvDownload({
      fileName: "x.csv",
      columns: ["n"],
      fetch: async (after, take) => {
        asked.push(after);
        const from = after === null ? 0 : Number(after) + 1;
        return Array.from({ length: take }, (_, n) => ({ n: from + n }));
      },
      keyOf: (row) => String(row.n),
      values: (rows) => rows.map((row) => [row.n]),
    });
    expect(asked).toEqual([null]);
    const iterator = download.chunks[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.next();
    expect(asked).toEqual([null, "249"]);
    await iterator.return?.();
    expect([asked.length, (await iterator.next()).done]).toEqual([2, true]);
  });
});
