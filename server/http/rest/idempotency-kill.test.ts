import { describe, expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { runChild } from "@/server/testing/child";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";

interface Case {
  path: string;
  /** Creates what the request needs and returns its body. */
  body(w: World): Promise<object>;
  /** SQL that locks what the work reaches after a part of it is done. */
  hold: string;
  /** How many rows the request leaves in each table. */
  leaves: Record<string, number>;
  events: string[];
}

const cases: Case[] = [
  {
    path: "/v1/templates",
    body: async () => ({ name: "Members", kind: "membership" }),
    hold: `INSERT INTO templates (org_id, id, name, kind, slug) VALUES ($1, uuidv7(), 'Members', 'membership', 'members')`,
    leaves: { templates: 1, template_versions: 1 },
    events: [],
  },
  {
    path: "/v1/credentials",
    body: async ({ ctx }) => ({
      subject: { externalId: "ada", displayName: "Ada Lovelace" },
      templateId: (await publishedTemplate(ctx)).id,
    }),
    // The subject is already written when the credential's reference to the template waits for the lock.
    hold: `SELECT 1 FROM templates WHERE org_id = $1 FOR UPDATE`,
    leaves: { subjects: 1, credentials: 1, credential_history: 1 },
    events: ["subject.created", "credential.created", "credential.issued"],
  },
];

describe.each(cases)(
  "a server killed with SIGKILL in the middle of POST $path with an Idempotency-Key",
  ({ path, body, hold, leaves, events }) => {
    async function prepare() {
      const w = await world();
      const token = await w.key();
      const raw = JSON.stringify(await body(w));
      const earlier = (await eventsOf(w.orgId)).length;
      return {
        orgId: w.orgId,
        child: () => runChild("server/testing/post.child.ts", [token, "k", path, raw]),
        post: () => call("POST", path, { token, headers: { "idempotency-key": "k" }, raw }),
        /** Counts the rows and events that the request has left. */
        async left() {
          const rows: Record<string, number> = {};
          for (const table of Object.keys(leaves))
            rows[table] = (
              await sql<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE org_id = $1`, [w.orgId])
            )[0]!.n;
          return { rows, events: (await eventsOf(w.orgId)).slice(earlier).map(({ type }) => type) };
        },
      };
    }
    type Request = Awaited<ReturnType<typeof prepare>>;

    const all = { rows: leaves, events };
    const nothing = { rows: Object.fromEntries(Object.keys(leaves).map((table) => [table, 0])), events: [] };

    /**
     * Runs the request in a child process until it waits for a lock of the `held` statement, kills the child there, and
     * rolls the lock back.
     */
    async function killedWaitingFor(held: string, { orgId, child }: Request): Promise<void> {
      const holder = await pool().connect();
      await holder.query("BEGIN");
      await holder.query(held, [orgId]);
      const { rows } = await holder.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`);
      const server = await child();
      await expect
        .poll(
          async () =>
            (await sql(`SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))`, [rows[0]!.pid])).length,
          { timeout: 20_000 },
        )
        .toBe(1);
      await server.kill();
      await holder.query("ROLLBACK");
      holder.release();
    }

    // PostgreSQL notices within a second that the client is gone and releases the key's lock; until then a retry gets
    // 409.
    async function retried({ post }: Request) {
      await expect.poll(async () => (await post()).status, { timeout: 20_000 }).toBe(201);
      return post();
    }

    it("leaves nothing when killed in the middle of the work, and the retry does the work", async () => {
      const request = await prepare();
      await killedWaitingFor(hold, request);
      expect(await request.left()).toEqual(nothing);
      await retried(request);
      expect(await request.left()).toEqual(all);
    });

    it("leaves all or nothing when killed during the commit, and every retry gets the same response", async () => {
      const request = await prepare();
      // The record is the last statement, and COMMIT is sent with it: whether PostgreSQL reads the COMMIT before it
      // notices the broken connection is chance.
      await killedWaitingFor(
        `INSERT INTO idempotency_records (org_id, key, fingerprint, status, answer, expires_at) VALUES ($1, 'k', '', 200, '', now())`,
        request,
      );
      expect((await retried(request)).headers.get("idempotent-replayed")).toBe("true");
      expect(await request.left()).toEqual(all);
    });

    it("repeats the stored response when killed after the commit", async () => {
      const request = await prepare();
      const server = await request.child();
      const answered = await server.line();
      await server.kill();
      const retry = await request.post();
      expect([retry.status, retry.text, retry.headers.get("idempotent-replayed")]).toEqual([201, answered, "true"]);
      expect(await request.left()).toEqual(all);
    });
  },
);
