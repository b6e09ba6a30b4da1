import { beforeAll, expect, it } from "vitest";
import { signIn } from "@/server/access/sign-in";
import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { scopes } from "@/server/core/scopes";
import { listCredentials } from "@/server/credentials/list";
import { listSubjects } from "@/server/subjects/list";
import { ownDatabase } from "@/server/testing/own-database";
import { visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { seedDemo } from "./seed";

beforeAll(ownDatabase);

const counts = async (statement: string) =>
  Object.fromEntries((await sql<{ key: string; n: number }>(statement)).map(({ key, n }) => [key, n]));

it("the demo contains four weeks of a university, is seeded once, and its events are in a plausible order", async () => {
  const { created, email, password } = await seedDemo();
  expect(created).toBe(true);
  expect(await signIn(visitor(), { email, password })).toMatchObject({ sessionVersion: 1 });

  expect(await counts(`SELECT state AS key, count(*) AS n FROM credentials GROUP BY 1`)).toEqual({
    active: expect.any(Number),
    pending: 5,
    suspended: 4,
    expired: 6,
    revoked: 8,
  });
  expect(
    await counts(`SELECT kind AS key, count(*) AS n FROM templates WHERE status = 'published' GROUP BY 1`),
  ).toEqual({ student_id: 1, employee_id: 1, academic: 1 });
  expect(
    await counts(
      `SELECT CASE WHEN c.achievement_version_id IS NULL THEN 'none' ELSE v.name END AS key, count(*) AS n
       FROM credentials c LEFT JOIN achievement_versions v ON v.org_id = c.org_id AND v.id = c.achievement_version_id
       WHERE c.kind = 'academic' GROUP BY 1`,
    ),
  ).toEqual({ "Certificate in Data Analysis": expect.any(Number) });
  expect(await counts(`SELECT 'all' AS key, count(DISTINCT email) AS n FROM subjects`)).toEqual({ all: 120 });

  const unlikely = await sql(
    `SELECT id FROM (SELECT *, lag(created_at) OVER (ORDER BY sequence) AS before FROM event_log) AS log
     WHERE created_at < before OR created_at > now() OR created_at < now() - interval '30 days'`,
  );
  expect(unlikely).toEqual([]);
  expect(await sql(`SELECT id FROM event_outbox`)).toEqual([]);
});

it("the demo leaves nothing for the dispatcher to send, but has deliveries that arrived, were retried, failed and are parked", async () => {
  expect(await counts(`SELECT status AS key, count(*) AS n FROM webhook_endpoints GROUP BY 1`)).toEqual({
    active: 1,
    disabled: 1,
  });
  expect(
    await sql(
      `SELECT 1 FROM webhook_endpoints WHERE last_success_at IS NOT NULL AND last_failure_at IS NOT NULL AND (failing_since IS NULL) = (status = 'active')`,
    ),
  ).toHaveLength(2);
  const deliveries = await counts(`SELECT status AS key, count(*) AS n FROM webhook_deliveries GROUP BY 1`);
  expect(Object.keys(deliveries).sort()).toEqual(["failed", "parked", "succeeded"]);
  expect(
    await sql(`SELECT 1 FROM webhook_deliveries WHERE attempt_count > 1 AND status = 'succeeded' LIMIT 1`),
  ).toHaveLength(1);
  const [sums] = await sql<{ attempts: number; counted: number }>(
    `SELECT (SELECT count(*) FROM webhook_attempts) AS attempts, (SELECT sum(attempts)::bigint FROM webhook_statistics) AS counted`,
  );
  expect(sums!.counted).toBe(sums!.attempts);
});

it("seeding again changes nothing and returns the same password", async () => {
  const first = await sql(`SELECT count(*) AS n, max(sequence) AS last FROM event_log`);
  const again = await Promise.all([seedDemo(), seedDemo()]);
  expect(again.map(({ created }) => created)).toEqual([false, false]);
  expect(await signIn(visitor(), { email: again[0]!.email, password: again[0]!.password })).toMatchObject({
    sessionVersion: 1,
  });
  expect(await sql(`SELECT count(*) AS n, max(sequence) AS last FROM event_log`)).toEqual(first);
});

it("can be filtered by the story's times, although its ids were made today", async () => {
  const [org] = await sql<{ id: Id<"org"> }>(`SELECT id FROM organisations WHERE slug = 'northwind-university'`);
  const ctx: Ctx = {
    orgId: org!.id,
    actor: { type: "operator", id: "test" },
    scopes: new Set(scopes),
    requestId: "req_test",
    now: new Date(),
  };
  const at = new Date(Date.now() - 14 * 86_400_000).toISOString();
  const lists = {
    subjects: listSubjects,
    credentials: listCredentials,
    webhook_deliveries: listWebhookDeliveries,
  };
  for (const [table, list] of Object.entries(lists)) {
    for (const [filter, compare] of [
      ["createdBefore", "<"],
      ["createdAfter", ">"],
    ] as const) {
      const [expected] = await sql<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE created_at ${compare} $1`, [
        at,
      ]);
      const found = await list(ctx, { [filter]: at, offset: 0, limit: 100 });
      expect([table, filter, found.total]).toEqual([table, filter, expected!.n]);
      expect(found.data).toHaveLength(Math.min(100, expected!.n));
    }
  }
});
