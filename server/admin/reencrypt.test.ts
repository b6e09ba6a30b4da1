import { readFileSync } from "node:fs";
import pg from "pg";
import { beforeAll, expect, it, vi } from "vitest";
import { closeDb } from "@/server/core/db";
import { ownDatabase } from "@/server/testing/own-database";
import { plainColumns, sealedColumns, shortLivedColumns } from "./sealed-columns";

beforeAll(ownDatabase);

const first = "the-first-master-secret-of-this-test";
const second = "the-second-master-secret-of-this-test";

/** The modules as a process with these secrets sees them. */
async function processWith(current: string, previous = "") {
  await closeDb();
  vi.stubEnv("BONAFIDE_SECRET", current);
  vi.stubEnv("BONAFIDE_PREVIOUS_SECRET", previous);
  vi.resetModules();
  const { settleMasterSecret } = await import("./master-secret");
  expect(await settleMasterSecret(process.env["DATABASE_URL"]!, { current, previous: previous || undefined })).toBe("settled");
  const [{ world }, { createWebhookEndpoint }, { rotateWebhookSecret }, { call }, { runAdmin }] = await Promise.all([
    import("@/server/testing/world"),
    import("@/server/webhooks/create"),
    import("@/server/webhooks/rotate-secret"),
    import("@/server/testing/request"),
    import("./run"),
  ]);
  const admin = async (...args: string[]) => {
    let out = "";
    const code = await runAdmin([...args, "--json"], { out: (text) => (out += text), err: (text) => (out += text) });
    return { code, ...(JSON.parse(out) as object) };
  };
  return { world, createWebhookEndpoint, rotateWebhookSecret, call, admin };
}

it("after a rotation and its re-encryption, everything stored is read with the new secret alone, and a start needs no previous one", { timeout: 60_000 }, async () => {
  const before = await processWith(first);
  const { ctx, key } = await before.world();
  const token = await key();
  const headers = { "idempotency-key": "k" };
  const made = await before.createWebhookEndpoint(ctx, { url: "http://127.0.0.1:4000/", eventTypes: ["credential.*"], headers: { "x-key": "1" } });
  await before.rotateWebhookSecret(ctx, { id: made.id, expireOldAfter: 3600 });
  const answer = await before.call("POST", "/v1/templates", { token, headers, body: { name: "Members", kind: "membership" } });
  expect(answer.status).toBe(201);

  const server = new pg.Client({ connectionString: process.env["DATABASE_URL"], application_name: "bonafide 00000000" });
  await server.connect();
  const rotating = await processWith(second, first);
  expect((await rotating.call("POST", "/v1/templates", { token, headers, body: { name: "Members", kind: "membership" } })).text).toBe(answer.text);
  expect(await rotating.admin("secret", "rotate")).toEqual({ code: 1, state: "unfinished", secret: null });
  const refused = { code: 1, reencrypted: 0, unreadable: {}, shortLived: 0, connectionsOfOthers: 1, done: false };
  expect(await rotating.admin("secret", "reencrypt")).toEqual(refused);
  await server.end();
  await vi.waitFor(async () => expect(await rotating.admin("secret", "reencrypt")).toEqual({ ...refused, code: 0, reencrypted: 4, connectionsOfOthers: 0, done: true }));

  const after = await processWith(second);
  const replayed = await after.call("POST", "/v1/templates", { token, headers, body: { name: "Members", kind: "membership" } });
  expect([replayed.text, replayed.headers.get("idempotent-replayed")]).toEqual([answer.text, "true"]);
  const { openHeaders, openSecret } = await import("@/server/webhooks/secret");
  const { sql } = await import("@/server/core/db");
  const [endpoint] = await sql<{ secret: Buffer; previous_secret: Buffer; headers: Buffer }>("SELECT secret, previous_secret, headers FROM webhook_endpoints WHERE id = $1", [made.id]);
  expect(openSecret(made.id, endpoint!.previous_secret)).toBe(made.secret);
  expect(openSecret(made.id, endpoint!.secret)).toMatch(/^whsec_/);
  expect(openHeaders(made.id, endpoint!.headers)).toEqual({ "x-key": "1" });
});

it("every column of bytes is re-encrypted, or is named as one that needs it not", () => {
  const models = readFileSync("prisma/schema.prisma", "utf8").matchAll(/^model \w+ \{$(.*?)^\}$/gms);
  const bytes = [...models].flatMap(([, body]) => {
    const table = /@@map\("(\w+)"\)/.exec(body!)![1]!;
    return [...body!.matchAll(/^ {2}(\w+) +Bytes\??(?:.*@map\("(\w+)"\))?/gm)].map(([, name, mapped]) => `${table}.${mapped ?? name}`);
  });
  const named = [...sealedColumns, ...shortLivedColumns, ...plainColumns].map(({ table, column }) => `${table}.${column}`);
  expect(named.toSorted()).toEqual(bytes.toSorted());
});
