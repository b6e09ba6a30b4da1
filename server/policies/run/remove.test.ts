import { beforeAll, expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { readId, type PublicId } from "@/server/core/ids";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { approvePolicyRun } from "../approve-run";
import { numbers, Office } from "../testing/office";
import { startDuePolicy } from "./start-due";
import { runPolicyStep } from "./step";

beforeAll(ownDatabase);

const hour = 3_600_000;

it("keeps a credential that another policy has taken over while the plan waited for approval", async () => {
  const office = await Office.open(await world());
  const other = await office.beside({ rule: { field: "attributes.dept", op: "eq", value: "Law" } });
  const { ctx } = office.world;
  const approve = ({ id, planHash }: { id: string; planHash: string | null }) =>
    approvePolicyRun(ctx, { id: office.id, run: id, planHash: planHash! });
  await office.people(numbers(1, 20));
  await office.apply();
  await office.people(numbers(1, 8), "Law");
  await approve(await office.apply());
  expect(await office.states()).toEqual({ active: 12, suspended: 8 });
  await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { onExit: "revoke" } });
  const halted = await office.apply();
  expect(halted).toMatchObject({ status: "halted", halt: { affected: 8 } });
  expect((await other.apply()).counts).toMatchObject({ resume: 8 });
  expect(await approve(halted)).toMatchObject({ status: "completed", counts: { revoke: 0, keep: 12 } });
  expect(await office.states()).toEqual({ active: 20 });
});

it("drops people who match again by the time of the step, however late it runs", async () => {
  const at = Date.now();
  const after = (hours: number) => new Date(at + hours * hour);
  const ends = { field: "attributes.end", op: "after", value: "now" };
  const starts = { field: "attributes.start", op: "before", value: "now" };
  const office = await Office.open(await world(), {
    rule: { any: [ends, starts] },
    onExit: "revoke",
    schedule: { cron: "0 * * * *" },
  });
  const person = (n: number, end: number, start: number) => ({
    externalId: `p-${n}`,
    attributes: { end: after(end).toISOString(), start: after(start).toISOString() },
  });
  // Between the second hour and the fourth, person 1 does not match.
  await bulkUpsertSubjects(office.world.ctx, { items: [person(1, 2, 4), person(2, 99, 100)] });
  await office.apply();
  while (await startDuePolicy(after(3)));
  await runPolicyStep(after(3));
  const { lastRun } = await office.policy();
  const staged = async () =>
    (await office.get(`/runs/${lastRun!.id}/removals`)).json<{ data: { state: string }[] }>().data;
  expect(await staged()).toMatchObject([{ state: "staged" }]);
  await office.work(() => after(50));
  expect(await staged()).toMatchObject([{ state: "dropped" }]);
  expect(await office.run(lastRun!.id)).toMatchObject({ status: "completed", counts: { revoke: 0, keep: 2 } });
  expect(await office.states()).toEqual({ active: 2 });
});

it("decides again after it has locked a credential: a person who matches meanwhile keeps it", async () => {
  const office = await Office.open(await world(), { onExit: "revoke" });
  await office.people(numbers(1, 10));
  await office.apply();
  await office.people([1, 2], "Law");
  const subjectId = await office.subject(1);
  const card = (await office.credentials()).find((each) => each.subjectId === subjectId)!;
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM credentials WHERE org_id = $1 AND id = $2 FOR UPDATE", [
      office.world.orgId,
      readId("crd", card.id as PublicId<"crd">),
    ]);
    const running = office.apply();
    await expect.poll(() => waitingForLock("FROM credentials"), { timeout: 10_000 }).toHaveLength(1);
    await office.people([1]);
    await holder.query("COMMIT");
    expect(await running).toMatchObject({ status: "completed", counts: { revoke: 1, keep: 9 } });
  } finally {
    holder.release(true);
  }
  expect(await office.states()).toEqual({ active: 9, revoked: 1 });
});
