import { describe, expect, it } from "vitest";
import { pool, sql } from "@/server/core/db";
import { runChild } from "@/server/testing/child";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";

const body = { name: "Members", kind: "membership" };
const child = "server/testing/post-template.child.ts";
const templatesOf = (orgId: string) => sql(`SELECT id FROM templates WHERE org_id = $1`, [orgId]);

describe("a server killed with SIGKILL in the middle of a request with an Idempotency-Key", () => {
  it("leaves nothing when killed before the commit, and the retry does the work", async () => {
    const { orgId, key } = await world();
    const token = await key();
    // An uncommitted row of the same key holds the child at its very last statement: the work is done, nothing is committed.
    const holder = await pool().connect();
    await holder.query("BEGIN");
    await holder.query(`INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) VALUES ($1, 'k', '', 200, '', now())`, [orgId]);
    const { rows } = await holder.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
    const server = await runChild(child, [token, "k"]);
    await expect.poll(async () => (await sql(`SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, [rows[0]!.pid])).length, { timeout: 20_000 }).toBe(1);
    await server.kill();
    await holder.query("ROLLBACK");
    holder.release();
    expect(await templatesOf(orgId)).toEqual([]);
    expect(await eventsOf(orgId)).toEqual([]);
    // PostgreSQL notices within a second that the client is gone and lets the key's lock go; until then a retry is told to wait.
    await expect.poll(async () => (await call("POST", "/v1/templates", { token, headers: { "idempotency-key": "k" }, body })).status, { timeout: 20_000 }).toBe(201);
    expect(await templatesOf(orgId)).toHaveLength(1);
  });

  it("repeats the stored answer when killed after the commit", async () => {
    const { orgId, key } = await world();
    const token = await key();
    const server = await runChild(child, [token, "k"]);
    const answered = await server.line();
    await server.kill();
    const retry = await call("POST", "/v1/templates", { token, headers: { "idempotency-key": "k" }, body });
    expect([retry.status, retry.text, retry.headers.get("idempotent-replayed")]).toEqual([201, answered, "true"]);
    expect(await templatesOf(orgId)).toHaveLength(1);
  });
});
