import { beforeAll, expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { readId, type PublicId } from "@/server/core/ids";
import { auditOf } from "@/server/testing/audit";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { getConnector } from "../get";
import { listConnectorRuns } from "../list-runs";
import { httpConnector } from "../testing/runs";
import { updateConnector } from "../update";
import { startDueConnector } from "./start-due";

beforeAll(ownDatabase);

const schedule = { cron: "0 5 * * *", timeZone: "Europe/Berlin" };
const tomorrow = new Date(Date.now() + 25 * 3_600_000);

async function scheduled() {
  const { ctx } = await world();
  const { id } = await httpConnector(ctx);
  await updateConnector(ctx, { id, schedule });
  return { ctx, id };
}

it("starts the schedules of other connectors even if that of one connector cannot be parsed", async () => {
  const [broken, other] = [await scheduled(), await scheduled()];
  await sql(
    `UPDATE connectors SET schedule = '{"cron": "0 5 * * *", "timeZone": "Europe/Atlantis"}', next_run_at = next_run_at - interval '1 minute' WHERE id = $1`,
    [readId("con", broken.id as PublicId<"con">)],
  );
  await expect(startDueConnector(tomorrow)).rejects.toThrow(/Atlantis|time ?zone/i);
  while (await startDueConnector(tomorrow));
  expect((await listConnectorRuns(other.ctx, { id: other.id })).data).toMatchObject([
    { status: "queued", trigger: "schedule" },
  ]);
  expect((await listConnectorRuns(broken.ctx, { id: broken.id })).data).toEqual([]);
  expect(await getConnector(broken.ctx, { id: broken.id })).toMatchObject({
    nextRunAt: new Date(tomorrow.getTime() + 3_600_000).toISOString(),
  });
  expect((await auditOf(broken.ctx.orgId)).at(-1)).toBe("connector.schedule_put_off");
});

/** Lets PostgreSQL raise an error with this code when a run of a connector is inserted, after the statement `first`. */
async function refuseRuns(code: string, first = "NULL"): Promise<void> {
  await sql(`CREATE OR REPLACE FUNCTION refuse_run() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN ${first}; RAISE EXCEPTION 'no run' USING ERRCODE = '${code}'; END $$`);
  await sql(
    `CREATE OR REPLACE TRIGGER refuse_run BEFORE INSERT ON connector_runs FOR EACH ROW EXECUTE FUNCTION refuse_run()`,
  );
}
const allowRuns = () => sql(`DROP TRIGGER refuse_run ON connector_runs`);

it("a schedule keeps its time if its start fails with a temporary error", async () => {
  const { ctx, id } = await scheduled();
  const { nextRunAt } = await getConnector(ctx, { id });
  await refuseRuns("40P01");
  await expect(startDueConnector(tomorrow)).rejects.toMatchObject({ code: "40P01" });
  await allowRuns();
  expect(await getConnector(ctx, { id })).toMatchObject({ nextRunAt });
  expect(await auditOf(ctx.orgId)).not.toContain("connector.schedule_put_off");
  while (await startDueConnector(tomorrow));
  expect((await listConnectorRuns(ctx, { id })).data).toMatchObject([{ trigger: "schedule" }]);
});

it("a schedule that is changed while its start fails keeps the changed time", async () => {
  const { ctx, id } = await scheduled();
  const holder = await pool().connect();
  await holder.query("SELECT pg_advisory_lock(816)");
  await refuseRuns("P0001", "PERFORM pg_advisory_xact_lock(816)");
  const start = startDueConnector(tomorrow).catch((error: unknown) => error);
  await untilWaitingForLock(1);
  const change = updateConnector({ ...ctx, now: tomorrow }, { id, schedule: { ...schedule, cron: "0 7 * * *" } });
  await untilWaitingForLock(2);
  await holder.query("SELECT pg_advisory_unlock(816)");
  holder.release();
  const { nextRunAt } = await change;
  expect(await start).toMatchObject({ code: "P0001" });
  await allowRuns();
  // The change may come before or after the schedule is put off: the changed time stays in both orders.
  expect(await getConnector(ctx, { id })).toMatchObject({ nextRunAt });
});
