import { beforeAll, expect, it } from "vitest";
import { Feed, fileOf } from "@/server/connectors/testing/feed";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { approvePolicyRun } from "./approve-run";
import { applyPolicy } from "./apply";
import { numbers, Office } from "./testing/office";

beforeAll(ownDatabase);

const hour = 3_600_000;

it("carries out the plan that was shown, even if a newer run has halted with the same plan", async () => {
  const office = await Office.open(await world());
  await office.people(numbers(1, 20));
  await office.apply();
  await office.people(numbers(1, 8), "Law");
  const { ctx } = office.world;
  const read = await office.apply();
  await office.people([21]);
  const newer = await office.apply();
  expect(newer).toMatchObject({ status: "halted", planHash: read.planHash });
  const approval = { id: office.id, run: read.id, planHash: read.planHash! };
  const tomorrow = { ...ctx, now: new Date(Date.now() + 25 * hour) };
  await applyPolicy({ ...ctx, now: new Date(Date.now() + 2 * hour) }, { id: office.id });
  await expect(approvePolicyRun(tomorrow, approval)).rejects.toThrow(/The run is discarded/);
  const approved = await approvePolicyRun(ctx, approval);
  expect(approved).toMatchObject({ status: "completed", approved: true, counts: { issue: 1, suspend: 8, keep: 12 } });
  expect(approved.id).not.toBe(read.id);
  expect(await office.run(read.id)).toMatchObject({ status: "discarded", approved: false });
});

it("refuses the approval of a plan that a newer run has replaced by another", async () => {
  const office = await Office.open(await world());
  await office.people(numbers(1, 20));
  await office.apply();
  await office.people(numbers(1, 8), "Law");
  const read = await office.apply();
  await office.people([9], "Law");
  expect((await office.apply()).status).toBe("halted");
  await expect(
    approvePolicyRun(office.world.ctx, { id: office.id, run: read.id, planHash: read.planHash! }),
  ).rejects.toThrow(/The run is discarded/);
  expect(await office.states()).toEqual({ active: 20 });
});

it("is refused while a file waits that affects people of the policy", async () => {
  const w = await world();
  const feed = await Feed.open(w, { missing: "deactivate" });
  await feed.upload(fileOf(numbers(1, 20)));
  const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
  await office.apply();
  for (const n of numbers(1, 8))
    await call("PATCH", `/v1/subjects/${await office.subject(n)}`, {
      token: office.token,
      body: { status: "inactive" },
    });
  const run = await office.apply();
  expect(run.status).toBe("halted");
  const held = await feed.upload(fileOf([9]));
  expect(held.status).toBe("held");
  const approver = await w.key("policies:approve");
  const approve = () => office.post(`/runs/${run.id}/approve`, { planHash: run.planHash! }, approver);
  const refused = await approve();
  expect([refused.status, refused.json()]).toMatchObject([409, { code: "run_state", waitsFor: held.id }]);
  expect(await office.states()).toEqual({ active: 20 });
  await feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:run", "connectors:approve"));
  expect((await approve()).json()).toMatchObject({ status: "completed", counts: { suspend: 8, keep: 12 } });
});
