import { readFileSync } from "node:fs";
import pg from "pg";
import { beforeAll, expect, it, vi } from "vitest";
import { closeDb } from "@/server/core/db";
import { newId, readId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { lostValues } from "./lost-values";
import { restarted } from "./reset-secret";
import { plainColumns, sealedColumns, shortLivedColumns } from "./sealed-columns";
import { secretReset } from "./secrets";

beforeAll(ownDatabase);

const first = "the-first-master-secret-of-this-test";
const second = "the-second-master-secret-of-this-test";

/** Imports the modules as in a process that runs with these secrets. */
async function processWith(current: string, previous = "") {
  await closeDb();
  vi.stubEnv("BONAFIDE_SECRET", current);
  vi.stubEnv("BONAFIDE_PREVIOUS_SECRET", previous);
  vi.resetModules();
  const { recordMasterSecret } = await import("./master-secret");
  expect(await recordMasterSecret(process.env["DATABASE_URL"]!, { current, previous: previous || undefined })).toBe(
    "settled",
  );
  const [{ world }, { createWebhookEndpoint }, { rotateWebhookSecret }, { call }, { runAdmin }] = await Promise.all([
    import("@/server/testing/world"),
    import("@/server/webhooks/endpoints/create"),
    import("@/server/webhooks/endpoints/rotate-secret"),
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

it("after a rotation and re-encryption, all stored values are readable with only the new secret, and a start needs no previous one", {
  timeout: 60_000,
}, async () => {
  const before = await processWith(first);
  const { ctx, key } = await before.world();
  const token = await key();
  const headers = { "idempotency-key": "k" };
  const made = await before.createWebhookEndpoint(ctx, {
    url: "http://127.0.0.1:4000/",
    eventTypes: ["credential.*"],
    headers: { "x-key": "1" },
  });
  await before.rotateWebhookSecret(ctx, { id: made.id, expireOldAfter: 3600 });
  const answer = await before.call("POST", "/v1/templates", {
    token,
    headers,
    body: { name: "Members", kind: "membership" },
  });
  expect(answer.status).toBe(201);

  const server = new pg.Client({
    connectionString: process.env["DATABASE_URL"],
    application_name: "bonafide 00000000",
  });
  await server.connect();
  const rotating = await processWith(second, first);
  expect(
    (await rotating.call("POST", "/v1/templates", { token, headers, body: { name: "Members", kind: "membership" } }))
      .text,
  ).toBe(answer.text);
  expect(await rotating.admin("secret", "rotate")).toEqual({ code: 1, state: "unfinished", secret: null });
  const refused = { code: 1, reencrypted: 0, unreadable: {}, shortLived: 0, connectionsOfOthers: 1, done: false };
  expect(await rotating.admin("secret", "reencrypt")).toEqual(refused);
  await server.end();
  await vi.waitFor(
    async () =>
      expect(await rotating.admin("secret", "reencrypt")).toEqual({
        ...refused,
        code: 0,
        reencrypted: 6,
        connectionsOfOthers: 0,
        done: true,
      }),
    20_000,
  );

  const after = await processWith(second);
  const replayed = await after.call("POST", "/v1/templates", {
    token,
    headers,
    body: { name: "Members", kind: "membership" },
  });
  expect([replayed.text, replayed.headers.get("idempotent-replayed")]).toEqual([answer.text, "true"]);
  const { openHeaders, openSecret } = await import("@/server/webhooks/endpoints/secret");
  const { sql } = await import("@/server/testing/sql");
  const [endpoint] = await sql<{ secret: Buffer; previous_secret: Buffer; headers: Buffer }>(
    "SELECT secret, previous_secret, headers FROM webhook_endpoints WHERE id = $1",
    [made.id],
  );
  expect(openSecret(readId("whe", made.id), endpoint!.previous_secret)).toBe(made.secret);
  expect(openSecret(readId("whe", made.id), endpoint!.secret)).toMatch(/^whsec_/);
  expect(openHeaders(readId("whe", made.id), endpoint!.headers)).toEqual({ "x-key": "1" });
});

it("every column of bytes is re-encrypted or listed as not needing it", () => {
  const models = readFileSync("prisma/schema.prisma", "utf8").matchAll(/^model \w+ \{$(.*?)^\}$/gms);
  const bytes = [...models].flatMap(([, body]) => {
    const table = /@@map\("(\w+)"\)/.exec(body!)![1]!;
    return [...body!.matchAll(/^ {2}(\w+) +Bytes\??(?:.*@map\("(\w+)"\))?/gm)].map(
      ([, name, mapped]) => `${table}.${mapped ?? name}`,
    );
  });
  const named = [...sealedColumns, ...shortLivedColumns, ...plainColumns].map(
    ({ table, column }) => `${table}.${column}`,
  );
  expect(named.toSorted()).toEqual(bytes.toSorted());
});

it("after the loss of the master secret, `secret reset` replaces or removes all that it encrypted, and running it again changes nothing", {
  timeout: 60_000,
}, async () => {
  const lost = "the-lost-master-secret-of-this-test!";
  const found = "the-found-master-secret-of-this-test";
  const { sql: clear } = await import("@/server/core/db");
  await clear("DELETE FROM master_secret");
  for (const table of [
    "idempotency_records",
    "webhook_endpoints",
    "authenticator_apps",
    "erasure_keys",
    "issuer_keys",
    "challenges",
    "account_mails",
  ])
    await clear(`DELETE FROM ${table}`);
  const before = await processWith(lost);
  const { ctx, key, orgId } = await before.world();
  const token = await key();
  const headers = { "idempotency-key": "once" };
  const issue = (call: typeof before.call) =>
    call("POST", "/v1/templates", { token, headers, body: { name: "Members", kind: "membership" } });
  expect((await issue(before.call)).status).toBe(201);
  const endpoint = await before.createWebhookEndpoint(ctx, {
    url: "http://127.0.0.1:4000/",
    headers: { "x-key": "1" },
  });
  const lostUser = newId("usr");
  const { sql: earlier } = await import("@/server/core/db");
  const { sealSecret } = await import("@/server/webhooks/endpoints/secret");
  await earlier(`INSERT INTO users (id, email, name, updated_at) VALUES ($1, 'lost@example.edu', 'Lost', now())`, [
    lostUser,
  ]);
  await earlier(
    `INSERT INTO authenticator_apps (user_id, secret, created_at, confirmed_at) VALUES ($2, $1, now(), now())`,
    [sealSecret(newId("whe"), "any"), lostUser],
  );
  await earlier(`INSERT INTO recovery_codes (user_id, code_hash, created_at) VALUES ($1, 'h', now())`, [lostUser]);
  expect(await before.admin("secret", "reset", "--confirm", "yes")).toEqual({ code: 1, state: "not_lost", lost: {} });
  await closeDb();

  // Only the command runs with the new secret; a start would be refused.
  const { checkMasterSecret } = await import("./master-secret");
  const given = { current: found, previous: undefined };
  expect(await checkMasterSecret(process.env["DATABASE_URL"]!, given)).toMatchObject({
    wrong: expect.stringContaining("not the one") as string,
  });
  vi.stubEnv("BONAFIDE_SECRET", found);
  vi.stubEnv("BONAFIDE_PREVIOUS_SECRET", "");
  vi.resetModules();
  const { runAdmin } = await import("./run");
  const reset = async (...args: string[]) => {
    let out = "";
    const code = await runAdmin(["secret", "reset", ...args, "--json"], {
      out: (text) => (out += text),
      err: (text) => (out += text),
    });
    return { code, ...(JSON.parse(out) as object) };
  };
  const counts = {
    "webhook_endpoints.secret": 1,
    "webhook_endpoints.headers": 1,
    "idempotency_records.answer": 1,
    "issuer_keys.private_key": 2,
    "authenticator_apps.secret": 1,
  };
  expect(await reset()).toEqual({ code: 1, state: "asked", lost: counts });
  const server = new pg.Client({
    connectionString: process.env["DATABASE_URL"],
    application_name: "bonafide 00000000",
  });
  await server.connect();
  expect(await reset("--confirm", "yes")).toEqual({ code: 1, state: "in_use", lost: counts });
  expect(await checkMasterSecret(process.env["DATABASE_URL"]!, given)).toBeDefined();
  await server.end();
  await vi.waitFor(
    async () => expect(await reset("--confirm", "yes")).toEqual({ code: 0, state: "done", lost: counts }),
    20_000,
  );

  const after = await processWith(found);
  const repeated = await issue(after.call);
  expect([repeated.status, repeated.json()["code"], repeated.headers.get("idempotent-replayed")]).toEqual([
    410,
    "answer_lost",
    "true",
  ]);
  const answer = await after.call("GET", `/v1/webhook_endpoints/${endpoint.id}`, { token });
  expect(answer.json()).toMatchObject({ status: "paused", headerNames: [] });
  const { openSecret } = await import("@/server/webhooks/endpoints/secret");
  const { sql } = await import("@/server/core/db");
  const [row] = await sql<{ secret: Buffer }>(`SELECT secret FROM webhook_endpoints WHERE id = $1`, [
    readId("whe", endpoint.id),
  ]);
  expect(openSecret(readId("whe", endpoint.id), row!.secret)).toMatch(/^whsec_/);
  expect(openSecret(readId("whe", endpoint.id), row!.secret)).not.toBe(endpoint.secret);
  expect(
    (await sql(`SELECT user_id FROM authenticator_apps UNION ALL SELECT user_id FROM recovery_codes`)).length,
  ).toBe(0);
  expect(
    (await sql<{ v: number }>(`SELECT session_version AS v FROM users WHERE id = $1`, [lostUser]))[0]!.v,
  ).toBeGreaterThan(0);
  expect(
    (await sql<{ action: string }>(`SELECT action FROM audit_entries WHERE org_id = $1`, [orgId])).map(
      ({ action }) => action,
    ),
  ).toContain("webhook_endpoint.secret_rotated");
  const { signingKeyOf } = await import("@/server/issuers/signing-key");
  const { id } = await signingKeyOf({ orgId, now: new Date() });
  expect(
    await sql(
      `SELECT id FROM issuer_keys WHERE org_id = $1 AND activated_at IS NOT NULL AND retired_at IS NULL AND private_key IS NOT NULL`,
      [orgId],
    ),
  ).toEqual([{ id }]);
  expect(await after.admin("secret", "reencrypt")).toMatchObject({ code: 0, unreadable: {}, done: true });
});

it("secret reset and docs/operations.md say what happens to every encrypted column", () => {
  expect(Object.keys(lostValues).toSorted()).toEqual(restarted.toSorted());
  const guide = readFileSync("docs/operations.md", "utf8");
  for (const { name, consequence } of Object.values(lostValues))
    expect(guide).toContain(`| ${name} | ${consequence} |`);
  const lost = Object.fromEntries(restarted.map((column) => [column, 2]));
  for (const state of ["asked", "done"] as const) {
    const told = secretReset.say({ state, lost } as never);
    for (const { consequence } of Object.values(lostValues)) expect(told).toContain(consequence);
  }
});

it("secret reset handles every encrypted column", () => {
  expect(restarted.toSorted()).toEqual(
    [...sealedColumns, ...shortLivedColumns].map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
});
