import { beforeAll, expect, it } from "vitest";
import { migrationsOf } from "@/scripts/migrations/migrations.mjs";
import { readinessPool } from "@/server/core/db";
import { setEngineStatus } from "@/server/core/engine-status";
import { setServing } from "@/server/core/serving";
import { fingerprintOf } from "@/server/core/secrets";
import { ownDatabase } from "@/server/testing/own-database";
import { upsertSubject } from "@/server/subjects/upsert";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { checkReadiness, recentReadiness } from "./readiness";

beforeAll(ownDatabase);
const migrations = async () => (await checkReadiness()).checks["migrations"];

it("is ready only with every migration of this build, and ignores those of a later build, even unfinished ones", async () => {
  const names = migrationsOf().map(({ name }) => name);
  expect(await migrations()).toEqual({ ok: true, detail: `${names.length} applied` });
  await sql(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('later', '', '29990101000000_later', now())`,
  );
  await sql(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('running', '', '29990101000001_running')`,
  );
  expect(await migrations()).toEqual({ ok: true, detail: `${names.length} applied` });
  await sql(`DELETE FROM _prisma_migrations WHERE migration_name = $1`, [names.at(-1)]);
  expect(await migrations()).toEqual({ ok: false, detail: `missing: ${names.at(-1)}` });
  await sql(`INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('begun', '', $1)`, [names.at(-1)]);
  expect(await migrations()).toEqual({ ok: false, detail: `unfinished: ${names.at(-1)}` });
});

it("is not ready with a master secret that is neither the database's nor its previous one", async () => {
  const secret = async () => (await checkReadiness()).checks.secret;
  expect(await secret()).toEqual({ ok: true, detail: "none noted yet" });
  const mine = fingerprintOf(process.env["BONAFIDE_SECRET"]!);
  await sql("INSERT INTO master_secret (fingerprint, changed_at) VALUES ($1, now())", [mine]);
  expect(await secret()).toMatchObject({ ok: true });
  await sql("UPDATE master_secret SET fingerprint = 'another', previous = $1", [mine]);
  expect(await secret()).toEqual({ ok: true, detail: "the previous one: restart with the new one" });
  await sql("UPDATE master_secret SET previous = NULL");
  expect(await secret()).toEqual({ ok: false, detail: "not the one of this database" });
});

it("reports failed jobs", async () => {
  const counts = { queued: 0, running: 0, oldestDueSeconds: 0 };
  setEngineStatus(async () => ({ mode: "embedded", ready: true, problem: null, ...counts, failed24h: 2 }));
  expect(await checkReadiness()).toMatchObject({
    checks: { jobs: { ok: true, detail: "embedded; runs that failed for good in 24 hours, as the log tells: 2" } },
  });
});

it("reports events that nobody numbers as a fault of background work", async () => {
  const counts = { queued: 0, running: 0, oldestDueSeconds: 0, failed24h: 0 };
  setEngineStatus(async () => ({ mode: "embedded", ready: true, problem: null, ...counts }));
  const { ctx } = await world();
  await upsertSubject(ctx, { externalId: "s-1" });
  expect((await checkReadiness()).checks.jobs).toEqual({ ok: true, detail: "embedded" });
  await sql("UPDATE event_outbox SET created_at = now() - interval '2 minutes' WHERE org_id = $1", [ctx.orgId]);
  expect(await checkReadiness()).toMatchObject({
    checks: {
      jobs: { ok: false, detail: "events have waited for their number for over a minute; the log tells why" },
    },
  });
});

it("runs its checks once a second however often it is asked, and reports at once that the process stops", async () => {
  let looks = 0;
  const count = () => looks++;
  readinessPool().on("acquire", count);
  const start = performance.now();
  for (let i = 0; i < 300; i++) await recentReadiness();
  readinessPool().off("acquire", count);
  const seconds = Math.ceil((performance.now() - start) / 1000);
  // Four statements per run.
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(4 * (seconds + 1));
  setServing(false);
  expect(await recentReadiness()).toMatchObject({ ready: false, checks: { serving: { ok: false } } });
  setServing(true);
});
