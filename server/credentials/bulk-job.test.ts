import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { setNudge, type NudgeTopic } from "@/server/core/nudge";
import { consoleCtx } from "@/server/access/console-session";
import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { flushSecurityEvents } from "@/server/access/security-events";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { revokeOAuthClient } from "@/server/access/revoke-oauth-client";
import { changeRole } from "@/server/organisations/change-role";
import { removeMember } from "@/server/organisations/remove-member";
import { person } from "@/server/testing/person";
import { auditOf } from "@/server/testing/audit";
import { runChild } from "@/server/testing/child";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { runBulkChunk } from "./bulk-run";
import { cancelBulkJob } from "./cancel-bulk-job";
import { revokeTemplateCredentials } from "./revoke-template";
import { getBulkJob } from "./get-bulk-job";
import { listBulkRows } from "./list-bulk-rows";
import { revokeCredential } from "./revoke";
import { applyClockToDueCredentials } from "./sweep";

// Workers process the jobs of all organisations, so these tests have their own database.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());
beforeEach(() => sql(`TRUNCATE organisations CASCADE`));

const items = (templateId: string, n: number, prefix = "p") =>
  Array.from({ length: n }, (_, i) => ({ subject: { externalId: `${prefix}-${i}` }, templateId }));
const createdIn = async (w: World) => (await eventsOf(w.orgId)).filter((e) => e.type === "credential.created").length;

async function finish(): Promise<number> {
  let chunks = 0;
  while (await runBulkChunk(new Date())) chunks++;
  return chunks;
}

async function queued(w: World, templateId: string, n: number, prefix?: string) {
  return (await bulkCredentials(w.ctx, { action: "issue", items: items(templateId, n, prefix), respondAsync: true }))
    .job!;
}

describe("bulk jobs", () => {
  it("are made for more than 500 rows, wake the engine, show progress and end with one result for each row", async () => {
    const nudged: NudgeTopic[] = [];
    setNudge((topic) => nudged.push(topic));
    const w = await world();
    const token = await w.key();
    const template = await publishedTemplate(w.ctx);
    const body = {
      action: "issue",
      items: [...items(template.id, 500), { subject: { externalId: "p-0" }, templateId: template.id }],
    };
    nudged.length = 0;
    const accepted = await call("POST", "/v1/credentials/bulk", { token, body });
    expect([accepted.status, accepted.json()]).toEqual([
      202,
      expect.objectContaining({
        object: "bulk_job",
        action: "issue",
        status: "queued",
        total: 501,
        processed: 0,
        startedAt: null,
      }),
    ]);
    expect(nudged).toEqual(["bulk"]);
    expect(await createdIn(w)).toBe(0);
    const path = `/v1/bulk/${String(accepted.json()["id"])}`;

    await runBulkChunk(new Date());
    expect((await call("GET", path, { token })).json()).toMatchObject({
      status: "running",
      processed: 200,
      succeeded: 200,
      finishedAt: null,
    });
    expect(await finish()).toBe(2);
    expect((await call("GET", path, { token })).json()).toMatchObject({
      status: "completed",
      total: 501,
      processed: 501,
      succeeded: 500,
      failed: 1,
      finishedAt: expect.any(String),
    });
    const failed = (await call("GET", `${path}/rows?ok=false&offset=0`, { token })).json<{
      data: { index: number }[];
      total: number;
    }>();
    expect(failed).toMatchObject({ total: 1, data: [{ index: 500, ok: false, error: { code: "credential_exists" } }] });
    const shownTo = async (reader: string) =>
      (await call("GET", `${path}/rows?ok=false`, { token: reader })).json<{ data: { externalId?: string }[] }>().data;
    expect(await shownTo(token)).toMatchObject([{ externalId: "p-0", subjectId: expect.stringMatching(/^sub_/) }]);
    const [blind] = await shownTo(await w.key("credentials:read"));
    expect(blind).not.toHaveProperty("externalId");
    expect(blind).not.toHaveProperty("subjectId");
    const second = (await call("GET", `${path}/rows?limit=2`, { token })).json<{ nextCursor: string }>();
    const third = (await call("GET", `${path}/rows?limit=1&cursor=${second.nextCursor}`, { token })).json();
    expect(third).toMatchObject({
      data: [{ index: 2, ok: true, credential: { object: "credential", source: { type: "bulk", id: path.slice(9) } } }],
    });
    expect(await createdIn(w)).toBe(500);
    const created = (await eventsOf(w.orgId)).find((e) => e.type === "credential.created") as unknown as {
      actor: object;
    };
    expect(created.actor).toMatchObject({ type: "api_key" });
  });

  it("name the person of a refused row that concerns no credential", async () => {
    const w = await world();
    const [template, token] = [await publishedTemplate(w.ctx), await w.key()];
    const ada = { externalId: "p-0", displayName: "Ada" };
    const { id } = (await call("PUT", "/v1/subjects", { token, body: ada })).json<{ id: string }>();
    await call("PATCH", `/v1/subjects/${id}`, { token, body: { status: "inactive" } });
    const job = await call("POST", "/v1/credentials/bulk", {
      token,
      headers: { prefer: "respond-async" },
      body: { action: "issue", items: items(template.id, 1) },
    });
    const path = `/v1/bulk/${job.json<{ id: string }>().id}`;
    await finish();
    const rows = (await call("GET", `${path}/rows`, { token })).json();
    expect(rows).toMatchObject({ data: [{ subjectId: id, error: { code: "subject_inactive" } }] });
    expect((await call("GET", `${path}/rows/export`, { token })).text).toContain("p-0,Ada,subject_inactive");
  });

  it("are made for any number of rows with Prefer: respond-async", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const response = await call("POST", "/v1/credentials/bulk", {
      token: await w.key(),
      headers: { prefer: "wait=1, respond-async" },
      body: { action: "issue", items: items(template.id, 1) },
    });
    expect(response.status).toBe(202);
    await finish();
    expect(await createdIn(w)).toBe(1);
  });

  it("record which rows needed no change, and the credential that a refusal concerns", async () => {
    const w = await world();
    const token = await w.key();
    const template = await publishedTemplate(w.ctx);
    const [active, revoked] = [await issued(w.ctx, template.id), await issued(w.ctx, template.id)];
    await revokeCredential(w.ctx, { id: revoked.id, reason: "Left" });
    const jobOf = async (action: string, rows: object[]) => {
      const job = (
        await call("POST", "/v1/credentials/bulk", {
          token,
          headers: { prefer: "respond-async" },
          body: { action, items: rows },
        })
      ).json<{ id: string }>();
      await finish();
      return `/v1/bulk/${job.id}/rows`;
    };
    const rowsOf = async (path: string) =>
      (await call("GET", path, { token })).json<{ data: object[]; total?: number }>();
    const suspending = await jobOf("suspend", [
      { id: active.id },
      { id: active.id },
      { id: revoked.id },
      { id: "crd_none" },
    ]);
    const { data } = await rowsOf(suspending);
    expect(data).toMatchObject([
      { ok: true, changed: true },
      { ok: true, changed: false },
      { ok: false, credential: { id: revoked.id, subjectId: revoked.subjectId }, error: { code: "credential_state" } },
      { ok: false, error: { code: "not_found" } },
    ]);
    expect(data[3]).not.toHaveProperty("credential");
    expect(await rowsOf(`${suspending}?changed=false&offset=0`)).toMatchObject({ total: 1, data: [{ index: 1 }] });
    expect(await rowsOf(`${suspending}?changed=true&offset=0`)).toMatchObject({ total: 1, data: [{ index: 0 }] });
  });

  it("can do no more than the actor who requested them", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const { job } = await bulkCredentials(w.as("credentials:issue"), {
      action: "issue",
      items: items(template.id, 1),
      respondAsync: true,
    });
    await finish();
    const { data } = await listBulkRows(w.ctx, { id: job!.id });
    expect(data).toMatchObject([{ ok: false, error: { code: "insufficient_scope", scope: "subjects:write" } }]);
  });

  it("stop where they are when cancelled, and cannot be cancelled after their end", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const job = await queued(w, template.id, 450);
    await runBulkChunk(new Date());
    await expect(cancelBulkJob(w.as("credentials:read", "credentials:revoke"), { id: job.id })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    expect(await cancelBulkJob(w.ctx, { id: job.id })).toMatchObject({ status: "cancelled", processed: 200 });
    expect(await cancelBulkJob(w.ctx, { id: job.id })).toMatchObject({ status: "cancelled" });
    expect(await finish()).toBe(0);
    expect(await createdIn(w)).toBe(200);
    const { data } = await listBulkRows(w.ctx, { id: job.id, offset: 199, limit: 2 });
    expect(data.map((row) => row.ok)).toEqual([true, null]);
    const done = await queued(w, template.id, 1, "q");
    await finish();
    await expect(cancelBulkJob(w.ctx, { id: done.id })).rejects.toMatchObject({ code: "job_finished" });
    expect((await auditOf(w.orgId)).filter((action) => action.startsWith("bulk_job."))).toEqual([
      "bulk_job.created",
      "bulk_job.cancelled",
      "bulk_job.created",
    ]);
  });

  it("take turns by organisation, so that the backlog of one does not delay another", async () => {
    const [large, small] = [await world(), await world()];
    const [one, two] = [await publishedTemplate(large.ctx), await publishedTemplate(small.ctx)];
    const backlog = [await queued(large, one.id, 400, "a"), await queued(large, one.id, 400, "b")];
    await runBulkChunk(new Date());
    const job = await queued(small, two.id, 300);
    for (let i = 0; i < 4; i++) await runBulkChunk(new Date(Date.now() + i));
    expect(await getBulkJob(small.ctx, { id: job.id })).toMatchObject({ status: "completed" });
    expect(await getBulkJob(large.ctx, { id: backlog[1]!.id })).toMatchObject({ status: "running", processed: 200 });
  });

  it("process each row once with many workers at once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const jobs = [
      await queued(w, template.id, 500, "a"),
      await queued(w, template.id, 500, "b"),
      await queued(w, template.id, 500, "c"),
    ];
    await Promise.all(Array.from({ length: 5 }, finish));
    await finish();
    expect(await createdIn(w)).toBe(1500);
    for (const { id } of jobs)
      expect(await getBulkJob(w.ctx, { id })).toMatchObject({ status: "completed", succeeded: 500, failed: 0 });
  });

  it("are taken over from a worker that is killed in the middle of a chunk, and no row is processed twice", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const job = await queued(w, template.id, 1000);
    await runBulkChunk(new Date());
    const holder = await pool().connect();
    await holder.query("BEGIN");
    // Left uncommitted, so that the worker waits in the middle of its chunk.
    await holder.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'p-350')`, [
      w.orgId,
      newId("sub"),
    ]);
    const child = await runChild("server/testing/bulk-worker.child.ts");
    expect(await child.line()).toBe("working");
    await untilWaitingForLock(1);
    await child.kill();
    await holder.query("ROLLBACK");
    holder.release();
    expect(await getBulkJob(w.ctx, { id: job.id })).toMatchObject({ processed: 200 });
    // PostgreSQL releases a dead client's locks once it notices; until then there is nothing to claim.
    while ((await getBulkJob(w.ctx, { id: job.id })).status !== "completed") await finish();
    expect(await getBulkJob(w.ctx, { id: job.id })).toMatchObject({ processed: 1000, succeeded: 1000, failed: 0 });
    expect(await createdIn(w)).toBe(1000);
  });

  it("do not block other jobs when one fails", async () => {
    const [w, other] = [await world(), await world()];
    const template = await publishedTemplate(w.ctx);
    const poisoned = await queued(w, template.id, 1);
    await sql(`UPDATE bulk_jobs SET action = 'revoke_template' WHERE id = $1`, [poisoned.id]);
    await sql(`UPDATE bulk_rows SET input = 'null' WHERE job_id = $1`, [poisoned.id]);
    const behind = await queued(w, template.id, 1, "q");
    const elsewhere = await queued(other, (await publishedTemplate(other.ctx)).id, 1);
    const outcomes = await Promise.allSettled([1, 2, 3].map((second) => runBulkChunk(new Date(Date.now() + second))));
    for (const second of [4, 5, 6])
      outcomes.push(...(await Promise.allSettled([runBulkChunk(new Date(Date.now() + second))])));
    expect(outcomes.map((o) => o.status)).toContain("rejected");
    expect([
      (await getBulkJob(w.ctx, { id: behind.id })).status,
      (await getBulkJob(other.ctx, { id: elsewhere.id })).status,
    ]).toEqual(["completed", "completed"]);
  });

  it("update PostgreSQL's statistics after a large load", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await queued(w, template.id, 5000);
    await finish();
    const [known] = await sql<{ rows: number }>(
      `SELECT reltuples::int AS rows FROM pg_class WHERE oid = 'credentials'::regclass`,
    );
    expect(known).toEqual({ rows: 5000 });
  });

  it("are visible only to their own organisation", async () => {
    const [w, other] = [await world(), await world()];
    const job = await queued(w, (await publishedTemplate(w.ctx)).id, 1);
    const token = await other.key();
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/rows"],
      ["POST", "/cancel"],
    ] as const) {
      expect((await call(method, `/v1/bulk/${job.id}${path}`, { token })).status).toBe(404);
    }
    expect((await call("GET", "/v1/bulk", { token })).json()).toMatchObject({ data: [] });
    expect((await call("GET", "/v1/bulk", { token: await w.key() })).json()).toMatchObject({ data: [{ id: job.id }] });
  });
});

describe("a bulk job whose actor may no longer act", () => {
  const expectStopped = async (w: World, id: string, reason: RegExp) => {
    expect(await finish()).toBe(1);
    const job = await getBulkJob(w.ctx, { id });
    expect(job).toMatchObject({
      status: "stopped",
      stopReason: expect.stringMatching(reason),
      finishedAt: expect.any(String),
    });
    const { data } = await listBulkRows(w.ctx, { id, offset: job.processed, limit: 1 });
    expect(data[0]).toMatchObject({ ok: null, error: { code: "job_stopped", detail: expect.stringMatching(reason) } });
    await expect(cancelBulkJob(w.ctx, { id })).rejects.toMatchObject({ code: "job_finished" });
    const [trace] = await sql<object>(
      `SELECT actor, detail FROM audit_entries WHERE org_id = $1 AND action = 'bulk_job.stopped'`,
      [w.orgId],
    );
    expect(trace).toMatchObject({
      actor: { type: "job", id },
      detail: { reason: expect.stringMatching(reason), processed: job.processed, total: job.total },
    });
    await flushSecurityEvents();
    const told = await listSecurityEvents(w.ctx, { type: "job_stopped" });
    expect(told.data).toEqual([
      expect.objectContaining({ target: expect.anything(), address: "", count: 1, detail: { job: id } }),
    ]);
  };
  const send = async (w: World, token: string, n: number) => {
    const template = await publishedTemplate(w.ctx);
    const answer = await call("POST", "/v1/credentials/bulk", {
      token,
      headers: { prefer: "respond-async" },
      body: { action: "issue", items: items(template.id, n) },
    });
    return String(answer.json()["id"]);
  };

  it("stops where it is after the key was revoked", async () => {
    const w = await world();
    const key = await createApiKey(w.ctx, { name: "Import", scopes: ["credentials:issue", "subjects:write"] });
    const id = await send(w, key.secret, 3000);
    await runBulkChunk(new Date());
    await revokeApiKey(w.ctx, { id: key.id });
    await expectStopped(w, id, /“Import” .*revoked/);
    expect(await createdIn(w)).toBe(200);
  });

  it("stops after the key has expired", async () => {
    const w = await world();
    const key = await createApiKey(w.ctx, {
      name: "Import",
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const id = await send(w, key.secret, 1);
    expect(await runBulkChunk(new Date(Date.now() + 3_600_001))).toBe(true);
    expect(await getBulkJob(w.ctx, { id })).toMatchObject({
      status: "stopped",
      stopReason: expect.stringContaining("expired"),
      succeeded: 0,
    });
  });

  it("stops after the OAuth client was revoked", async () => {
    const w = await world();
    const client = await createOAuthClient(w.ctx, { name: "Sync" });
    const ctx = { ...w.ctx, actor: { type: "oauth_client" as const, id: client.id } };
    const job = await queued({ ...w, ctx }, (await publishedTemplate(w.ctx)).id, 1);
    await revokeOAuthClient(w.ctx, { id: client.id });
    await expectStopped(w, job.id, /“Sync” .*revoked/);
  });

  it("stops after its access token was revoked, even if the token has expired since, but continues after a mere expiry", async () => {
    const w = await world();
    const client = await createOAuthClient(w.ctx, { name: "Sync" });
    const form = (path: string, fields: object) =>
      call("POST", path, {
        raw: new URLSearchParams({
          client_id: client.clientId,
          client_secret: client.clientSecret,
          ...fields,
        }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const token = async () =>
      String((await form("/oauth/token", { grant_type: "client_credentials" })).json()["access_token"]);
    const [kept, revoked] = [await token(), await token()];
    const [first, second] = [await send(w, kept, 1), await send(w, revoked, 1)];
    await finish();
    expect(await getBulkJob(w.ctx, { id: first })).toMatchObject({ status: "completed" });
    expect(await getBulkJob(w.ctx, { id: second })).toMatchObject({ status: "completed" });

    const id = await send(w, revoked, 1);
    const other = await send(w, kept, 1);
    expect((await form("/oauth/revoke", { token: revoked })).status).toBe(200);
    await sql(`UPDATE access_tokens SET expires_at = created_at WHERE org_id = $1`, [w.orgId]);
    // Requesting a token removes the client's expired access tokens.
    await token();
    expect(await sql(`SELECT 1 FROM access_tokens WHERE org_id = $1`, [w.orgId])).toHaveLength(2);
    while (await runBulkChunk(new Date()));
    expect(await getBulkJob(w.ctx, { id })).toMatchObject({
      status: "stopped",
      stopReason: expect.stringContaining("access token"),
    });
    expect(await getBulkJob(w.ctx, { id: other })).toMatchObject({ status: "completed" });
  });

  it("waits if its organisation is suspended between the claim and the chunk", async () => {
    const w = await world();
    const id = await send(w, await w.key(), 1);
    const suspension = await pool().connect();
    await suspension.query("BEGIN");
    await suspension.query(`UPDATE organisations SET suspended_at = now() WHERE id = $1`, [w.orgId]);
    const chunk = runBulkChunk(new Date());
    await untilWaitingForLock(1);
    await suspension.query("COMMIT");
    suspension.release();
    await chunk;
    expect(await getBulkJob(w.ctx, { id })).toMatchObject({ status: "queued", processed: 0 });
    await sql(`UPDATE organisations SET suspended_at = NULL WHERE id = $1`, [w.orgId]);
    await finish();
    expect(await getBulkJob(w.ctx, { id })).toMatchObject({ status: "completed" });
  });

  it("stops after its person was removed or lost the scope with their role", async () => {
    for (const [end, reason] of [
      [(w: World, id: string) => removeMember(w.ctx, { id }), /no longer a member/],
      [
        (w: World, id: string) => changeRole(w.ctx, { id, role: "viewer" }),
        /no longer has the scope credentials:issue/,
      ],
    ] as const) {
      const w = await world();
      const { headers, memberId } = await person(w, "issuer");
      const job = await queued({ ...w, ctx: (await consoleCtx(headers))! }, (await publishedTemplate(w.ctx)).id, 1);
      await end(w, memberId);
      await expectStopped(w, job.id, reason);
    }
  });

  it("stops when it revokes by template, too", async () => {
    const w = await world();
    const key = await createApiKey(w.ctx, { name: "Cleanup" });
    const { templateId } = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    const answer = await call("POST", `/v1/templates/${templateId}/revoke-credentials`, {
      token: key.secret,
      body: { reason: "Fraud", expectedCount: 1 },
    });
    await revokeApiKey(w.ctx, { id: key.id });
    await expectStopped(w, String(answer.json()["id"]), /“Cleanup” .*revoked/);
    expect((await eventsOf(w.orgId)).map((e) => e.type)).not.toContain("credential.revoked");
  });

  it("goes on with the remaining scopes if they include those that each row needs", async () => {
    const w = await world();
    const { headers, memberId } = await person(w, "admin");
    const job = await queued({ ...w, ctx: (await consoleCtx(headers))! }, (await publishedTemplate(w.ctx)).id, 1);
    await changeRole(w.ctx, { id: memberId, role: "issuer" });
    await finish();
    expect(await getBulkJob(w.ctx, { id: job.id })).toMatchObject({ status: "completed", succeeded: 1 });
  });

  it("delays revoking its key until the chunk in progress is done, so that no row is written after the answer", async () => {
    const w = await world();
    const key = await createApiKey(w.ctx, { name: "Import" });
    const id = await send(w, key.secret, 400);
    const holder = await pool().connect();
    await holder.query("BEGIN");
    await holder.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'p-150')`, [
      w.orgId,
      newId("sub"),
    ]);
    const chunk = runBulkChunk(new Date());
    await untilWaitingForLock(1);
    const revocation = revokeApiKey(w.ctx, { id: key.id });
    await untilWaitingForLock(2);
    await holder.query("ROLLBACK");
    holder.release();
    await Promise.all([chunk, revocation]);
    await expectStopped(w, id, /revoked/);
    expect(await createdIn(w)).toBe(200);
  });
});

describe("POST /v1/templates/{id}/revoke-credentials", () => {
  it("revokes every credential that is not revoked, expired ones included, and emits an event for each", async () => {
    const w = await world();
    const token = await w.key();
    const [template, other] = [await publishedTemplate(w.ctx), await publishedTemplate(w.ctx)];
    const may = w.at("2026-05-01T00:00:00Z");
    await issued(may, template.id);
    await issued(may, template.id, { expiresAt: "2026-06-01T00:00:00Z" });
    await issued(may, template.id, { validFrom: "2099-01-01T00:00:00Z" });
    await applyClockToDueCredentials(new Date("2026-06-01T00:00:00Z"));
    const spared = await issued(may, other.id);
    const path = `/v1/templates/${template.id}/revoke-credentials`;
    const accepted = await call("POST", path, {
      token,
      body: { reason: "Counterfeited", expectedCount: 3, note: "Case 9" },
    });
    expect([accepted.status, accepted.json()]).toEqual([
      202,
      expect.objectContaining({
        object: "bulk_job",
        action: "revoke_template",
        templateId: template.id,
        total: 3,
        status: "queued",
      }),
    ]);
    await finish();
    expect(await getBulkJob(w.ctx, { id: String(accepted.json()["id"]) })).toMatchObject({
      status: "completed",
      succeeded: 3,
    });
    const rows = await sql<{ state: string; revocation_reason: string }>(
      `SELECT state, revocation_reason FROM credentials WHERE template_id = $1`,
      [template.id],
    );
    expect(rows).toEqual(rows.map(() => ({ state: "revoked", revocation_reason: "Counterfeited" })));
    expect((await call("GET", `/v1/credentials/${spared.id}`, { token })).json()).toMatchObject({ state: "active" });
    expect((await eventsOf(w.orgId)).filter((e) => e.type === "credential.revoked")).toHaveLength(3);
    expect((await call("POST", path, { token, body: { reason: "Again", expectedCount: 1 } })).json()).toMatchObject({
      code: "count_mismatch",
      count: 0,
    });
  });

  it("removes its reason and note once it is over, except where an erasure finds them", async () => {
    const w = await world();
    const { templateId } = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    await revokeTemplateCredentials(w.ctx, {
      id: templateId,
      reason: "Maria Lopez left",
      note: "Maria Lopez was dismissed",
      expectedCount: 1,
    });
    await finish();
    const naming = (table: string) =>
      sql(`SELECT 1 FROM ${table} t WHERE org_id = $1 AND to_jsonb(t)::text LIKE '%Maria%'`, [w.orgId]);
    expect(await naming("audit_entries")).toEqual([]);
    expect(await naming("bulk_jobs")).toEqual([]);
    expect(await naming("credential_history")).toHaveLength(1);
  });

  it("does nothing if the expected count is wrong, and returns the actual count", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await issued(w.ctx, template.id);
    await issued(w.ctx, template.id);
    const refused = await call("POST", `/v1/templates/${template.id}/revoke-credentials`, {
      token: await w.key(),
      body: { reason: "Counterfeited", expectedCount: 1 },
    });
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: "count_mismatch", count: 2, expectedCount: 1 }),
    ]);
    expect(await finish()).toBe(0);
    expect(await sql(`SELECT 1 FROM bulk_jobs`)).toEqual([]);
    expect((await auditOf(w.orgId)).filter((action) => action.startsWith("bulk_job."))).toEqual([]);
  });

  it("requires its own scope and no other", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await issued(w.ctx, template.id);
    const body = { reason: "Counterfeited", expectedCount: 1 };
    const path = `/v1/templates/${template.id}/revoke-credentials`;
    expect(
      (await call("POST", path, { token: await w.key("credentials:revoke", "templates:write"), body })).json(),
    ).toMatchObject({ code: "insufficient_scope", scope: "credentials:revoke_template" });
    expect((await call("POST", path, { token: await w.key("credentials:revoke_template"), body })).status).toBe(202);
    await finish();
    expect((await eventsOf(w.orgId)).at(-1)).toMatchObject({ type: "credential.revoked" });
  });
});
