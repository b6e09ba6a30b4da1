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
  /** Runs the request in a child that waits for a row which `hold` writes and does not commit, kills it there, and lets the row go. */
  async function killedWaitingFor(hold: string, orgId: string, token: string): Promise<void> {
    const holder = await pool().connect();
    await holder.query("BEGIN");
    await holder.query(hold, [orgId]);
    const { rows } = await holder.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
    const server = await runChild(child, [token, "k"]);
    await expect.poll(async () => (await sql(`SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, [rows[0]!.pid])).length, { timeout: 20_000 }).toBe(1);
    await server.kill();
    await holder.query("ROLLBACK");
    holder.release();
  }

  // PostgreSQL notices within a second that the client is gone and lets the key's lock go; until then a retry is told to wait.
  async function retried(token: string) {
    const retry = () => call("POST", "/v1/templates", { token, headers: { "idempotency-key": "k" }, body });
    await expect.poll(async () => (await retry()).status, { timeout: 20_000 }).toBe(201);
    return retry();
  }

  it("leaves nothing when killed in the middle of the work, and the retry does it", async () => {
    const { orgId, key } = await world();
    const token = await key();
    await killedWaitingFor(`INSERT INTO templates (org_id, id, name, kind, slug) VALUES ($1, 'tpl_held', 'Members', 'membership', 'members')`, orgId, token);
    expect(await templatesOf(orgId)).toEqual([]);
    expect(await eventsOf(orgId)).toEqual([]);
    await retried(token);
    expect(await templatesOf(orgId)).toHaveLength(1);
  });

  it("leaves all of it or nothing when killed with the commit on its way, and the retry gets the one answer", async () => {
    const { orgId, key } = await world();
    const token = await key();
    // The record is the last statement, and COMMIT leaves with it: whether PostgreSQL reads that before it sees the end is chance.
    const hold = `INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) VALUES ($1, 'k', '', 200, '', now())`;
    await killedWaitingFor(hold, orgId, token);
    const { id } = (await retried(token)).json();
    expect(await templatesOf(orgId)).toEqual([{ id }]);
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
