import { beforeAll, expect, it, vi } from "vitest";
import { pool } from "@/server/core/db";
import { readId, type PublicId } from "@/server/core/ids";
import { auditOf } from "@/server/testing/audit";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { Office } from "../testing/office";
import { updatePolicy } from "../update";
import { startDuePolicy } from "./start-due";

beforeAll(ownDatabase);

const schedule = { cron: "0 5 * * *", timeZone: "Europe/Berlin" };
const tomorrow = new Date(Date.now() + 25 * 3_600_000);

it("starts the schedules of other policies even if that of one policy cannot be parsed", async () => {
  const brokenWorld = await world();
  const broken = await Office.open(brokenWorld, { schedule });
  const office = await Office.open(await world(), { schedule });
  await sql(
    `UPDATE policies SET schedule = '{"cron": "0 5 * * *", "timeZone": "Europe/Atlantis"}', next_run_at = next_run_at - interval '1 minute' WHERE id = $1`,
    [readId("pol", broken.id as PublicId<"pol">)],
  );
  await expect(startDuePolicy(tomorrow)).rejects.toThrow(/Atlantis|time ?zone/i);
  while (await startDuePolicy(tomorrow));
  expect((await office.policy()).lastRun).toMatchObject({ status: "running", trigger: "schedule" });
  expect(await broken.policy()).toMatchObject({
    lastRun: null,
    nextRunAt: new Date(tomorrow.getTime() + 3_600_000).toISOString(),
  });
  expect((await auditOf(brokenWorld.orgId)).at(-1)).toBe("policy.schedule_put_off");
});

/** Lets PostgreSQL raise an error with this code when the run of a policy is inserted, after the statement `first`. */
async function refuseRuns(code: string, first = "NULL"): Promise<void> {
  await sql(`CREATE OR REPLACE FUNCTION refuse_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${first}; RAISE EXCEPTION 'no run' USING ERRCODE = '${code}'; END $$`);
  await sql(
    `CREATE OR REPLACE TRIGGER refuse_run BEFORE INSERT ON policy_runs FOR EACH ROW EXECUTE FUNCTION refuse_run()`,
  );
}
const allowRuns = () => sql(`DROP TRIGGER refuse_run ON policy_runs`);

it.each(["40P01", "57014", "53200"])(
  "a schedule keeps its time if its start fails with %s, a temporary error",
  async (code) => {
    const w = await world();
    const office = await Office.open(w, { schedule });
    const { nextRunAt } = await office.policy();
    await refuseRuns(code);
    await expect(startDuePolicy(tomorrow)).rejects.toMatchObject({ code });
    await allowRuns();
    expect(await office.policy()).toMatchObject({ nextRunAt, lastRun: null });
    expect(await auditOf(w.orgId)).not.toContain("policy.schedule_put_off");
    while (await startDuePolicy(tomorrow));
    expect((await office.policy()).lastRun).toMatchObject({ status: "running", trigger: "schedule" });
  },
);

it("a schedule that is changed while its start fails keeps the changed time", async () => {
  const w = await world();
  const office = await Office.open(w, { schedule });
  const holder = await pool().connect();
  await holder.query("SELECT pg_advisory_lock(815)");
  await refuseRuns("P0001", "PERFORM pg_advisory_xact_lock(815)");
  const start = startDuePolicy(tomorrow).catch((error: unknown) => error);
  await vi.waitFor(async () => expect(await waitingForLock()).toHaveLength(1), { timeout: 20_000 });
  const change = updatePolicy(
    { ...w.ctx, now: tomorrow },
    { id: office.id, schedule: { ...schedule, cron: "0 7 * * *" } },
  );
  await vi.waitFor(async () => expect(await waitingForLock()).toHaveLength(2), { timeout: 20_000 });
  await holder.query("SELECT pg_advisory_unlock(815)");
  holder.release();
  const { nextRunAt } = await change;
  expect(await start).toMatchObject({ code: "P0001" });
  await allowRuns();
  // The change may come before or after the schedule is put off: the changed time stays in both orders.
  expect(await office.policy()).toMatchObject({ nextRunAt });
});
