import { beforeAll, expect, it } from "vitest";
import { readId, type PublicId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { Office } from "../testing/office";
import { startDuePolicy } from "./start-due";

beforeAll(ownDatabase);

it("starts the schedules of others although that of one policy cannot be read any more", async () => {
  const schedule = { cron: "0 5 * * *", timeZone: "Europe/Berlin" };
  const broken = await Office.open(await world(), { schedule });
  const office = await Office.open(await world(), { schedule });
  await sql(
    `UPDATE policies SET schedule = '{"cron": "0 5 * * *", "timeZone": "Europe/Atlantis"}', next_run_at = next_run_at - interval '1 minute' WHERE id = $1`,
    [readId("pol", broken.id as PublicId<"pol">)],
  );
  const tomorrow = new Date(Date.now() + 25 * 3_600_000);
  await expect(startDuePolicy(tomorrow)).rejects.toThrow(/Atlantis|time ?zone/i);
  while (await startDuePolicy(tomorrow));
  expect((await office.policy()).lastRun).toMatchObject({ status: "running", trigger: "schedule" });
  expect(await broken.policy()).toMatchObject({
    lastRun: null,
    nextRunAt: new Date(tomorrow.getTime() + 3_600_000).toISOString(),
  });
});
