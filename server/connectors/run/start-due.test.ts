import { beforeAll, expect, it } from "vitest";
import { readId, type PublicId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { getConnector } from "../get";
import { listConnectorRuns } from "../list-runs";
import { httpConnector } from "../testing/runs";
import { updateConnector } from "../update";
import { startDueConnector } from "./start-due";

beforeAll(ownDatabase);

it("starts the schedules of other connectors even if that of one connector cannot be parsed", async () => {
  const scheduled = async () => {
    const { ctx } = await world();
    const { id } = await httpConnector(ctx);
    await updateConnector(ctx, { id, schedule: { cron: "0 5 * * *", timeZone: "Europe/Berlin" } });
    return { ctx, id };
  };
  const [broken, other] = [await scheduled(), await scheduled()];
  await sql(
    `UPDATE connectors SET schedule = '{"cron": "0 5 * * *", "timeZone": "Europe/Atlantis"}', next_run_at = next_run_at - interval '1 minute' WHERE id = $1`,
    [readId("con", broken.id as PublicId<"con">)],
  );
  const tomorrow = new Date(Date.now() + 25 * 3_600_000);
  await expect(startDueConnector(tomorrow)).rejects.toThrow(/Atlantis|time ?zone/i);
  while (await startDueConnector(tomorrow));
  expect((await listConnectorRuns(other.ctx, { id: other.id })).data).toMatchObject([
    { status: "queued", trigger: "schedule" },
  ]);
  expect((await listConnectorRuns(broken.ctx, { id: broken.id })).data).toEqual([]);
  expect(await getConnector(broken.ctx, { id: broken.id })).toMatchObject({
    nextRunAt: new Date(tomorrow.getTime() + 3_600_000).toISOString(),
  });
});
