import { beforeAll, describe, expect, it } from "vitest";
import { approvePolicyRun } from "../approve-run";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { applyPolicy } from "../apply";
import { previewPolicy } from "../preview";
import { updatePolicy } from "../update";
import { inMaths, numbers, Office } from "../testing/office";
import { none, hour, typesOf } from "../testing/runs";

beforeAll(ownDatabase);

describe("the blast radius of a policy", () => {
  it("lets up to five removals pass, whatever the percentage", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people(numbers(1, 5), "Law");
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { suspend: 5 } });
  });

  it("halts above a tenth, changes nothing, reports it, and continues when a person approves the plan", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 100));
    await office.apply();
    await office.people(numbers(1, 11), null);
    await office.people([101]);
    const preview = await office.preview({ actions: ["suspend"] });
    expect(preview).toMatchObject({
      counts: { issue: 1, keep: 89, suspend: 11 },
      halt: { reason: "limit", limit: 10, affected: 11, recent: 0, holders: 100 },
    });
    expect(preview.data).toHaveLength(11);
    const run = await office.apply({ planHash: preview.planHash });
    expect(run).toMatchObject({ status: "halted", counts: { issue: 1, suspend: 11 }, planHash: preview.planHash });
    expect(run.halt!.causes).toEqual([
      "attributes.dept is missing for 11 of the 11 people, who had it when this policy last ran, less than an hour ago.",
    ]);
    expect(await office.states()).toEqual({ active: 100 });
    expect(await office.policy()).toMatchObject({ status: "halted" });
    expect(await typesOf(office.world)).toContain("policy.halted");
    const removals = (await office.get(`/runs/${run.id}/removals`)).json<{ data: { state: string }[] }>();
    expect(removals.data.map(({ state }) => state)).toEqual(Array(11).fill("staged"));
    const wrong = await office.post(
      `/runs/${run.id}/approve`,
      { planHash: "other" },
      await office.world.key("policies:approve"),
    );
    expect([wrong.status, wrong.json()["code"]]).toEqual([409, "plan_changed"]);
    const approve = await office.post(
      `/runs/${run.id}/approve`,
      { planHash: run.planHash! },
      await office.world.key("policies:approve"),
    );
    expect([approve.status, approve.json()]).toMatchObject([
      200,
      { status: "completed", approved: true, counts: { issue: 1, suspend: 11, keep: 89 } },
    ]);
    expect(await office.states()).toEqual({ active: 90, suspended: 11 });
    expect(await office.policy()).toMatchObject({ status: "active", haltedSince: null });
  });

  it("names a field's former value only if the rule needs it and is that of the last run", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people(numbers(1, 20), null);
    const causes = async (rule: object) => {
      expect((await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { rule } })).status).toBe(
        200,
      );
      return (await office.preview()).halt!.causes;
    };
    const changed = "The rule was changed since this policy last ran, less than an hour ago.";
    const missing = "attributes.dept is missing for 20 of the 20 people";
    expect(await causes(inMaths)).toEqual([`${missing}, who had it when this policy last ran, less than an hour ago.`]);
    expect(await causes({ ...inMaths, value: "Law" })).toEqual([changed, `${missing}.`]);
    const other = { field: "externalId", op: "eq", value: "nobody" };
    expect(await causes({ any: [inMaths, other] })).toEqual([changed, `${missing}.`]);
    const [at, day] = [Date.now(), 24 * hour];
    await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { rule: inMaths } });
    const { ctx } = office.world;
    const later = async (ms: number) =>
      (await previewPolicy({ ...ctx, now: new Date(at + ms) }, { id: office.id as `pol_${string}` })).halt!.causes;
    expect(await later(30 * hour)).toEqual([`${missing}, who had it when this policy last ran, a day ago.`]);
    expect(await later(3 * day + hour)).toEqual([`${missing}, who had it when this policy last ran, 3 days ago.`]);
  });

  it("adds up removals over 24 hours, relative to the holders at their beginning", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 100));
    const at = (hours: number) => ({ ...office.world.ctx, now: new Date(Date.now() + hours * hour) });
    await applyPolicy(at(0), { id: office.id });
    await office.people(numbers(1, 6), "Law");
    expect(await applyPolicy(at(1), { id: office.id })).toMatchObject({ status: "completed", counts: { suspend: 6 } });
    await office.people(numbers(7, 10), "Law");
    expect(await applyPolicy(at(12), { id: office.id })).toMatchObject({ status: "completed", counts: { suspend: 4 } });
    await office.people([11], "Law");
    expect(await applyPolicy(at(20), { id: office.id })).toMatchObject({
      status: "halted",
      halt: { limit: 10, recent: 10, affected: 1 },
    });
    expect(await applyPolicy(at(26), { id: office.id })).toMatchObject({ status: "completed", counts: { suspend: 1 } });
    expect(await office.policy()).toMatchObject({ status: "active" });
  });

  it("counts a person who left and came back once, however often", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 60));
    await office.apply();
    for (let round = 1; round <= 2; round++) {
      await office.people(numbers(1, 50), "Law");
      const { id: run, planHash } = await office.apply();
      await approvePolicyRun(office.world.ctx, { id: office.id, run, planHash: planHash! });
      await office.people(numbers(1, 50));
      expect((await office.apply()).counts).toEqual({ ...none, resume: 50, keep: 10 });
    }
    await office.people(numbers(1, 20), "Law");
    expect(await office.apply()).toMatchObject({ status: "halted", halt: { holders: 60, limit: 6, affected: 20 } });
  });

  it("counts a person whose suspended credential is revoked on the same day once", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 100));
    await office.apply();
    await office.people(numbers(1, 9), "Law");
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { suspend: 9 } });
    await updatePolicy(office.world.ctx, { id: office.id, onExit: "revoke" });
    await office.people([10, 11], "Law");
    expect(await office.apply()).toMatchObject({ status: "halted", halt: { limit: 10, recent: 0, affected: 11 } });
    await office.people([11]);
    expect(await office.preview()).toMatchObject({ halt: null, blastRadius: { limit: 10, recent: 0, affected: 10 } });
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { revoke: 10 } });
    await office.people([11], "Law");
    expect(await office.apply()).toMatchObject({ status: "halted", halt: { limit: 10, recent: 10, affected: 1 } });
  });

  it("says what a collapse would do to those who were suspended on the same day, and to all others", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 100));
    await office.apply();
    await office.people(numbers(1, 9), "Law");
    await office.apply();
    await updatePolicy(office.world.ctx, { id: office.id, onExit: "revoke" });
    await office.people(numbers(1, 100), "Law");
    expect((await office.preview()).halt).toMatchObject({
      reason: "collapse",
      recent: 0,
      affected: 100,
      message: "Nobody matches the rule any more, and 100 credentials would be ended.",
    });
  });

  it("counts what was ended without an approval beside what was approved and is ended again", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 100));
    await office.apply();
    await office.people([1], "Law");
    await office.apply();
    await office.people(numbers(2, 20), "Law");
    const { id: run, planHash } = await office.apply();
    await approvePolicyRun(office.world.ctx, { id: office.id, run, planHash: planHash! });
    await office.people([1]);
    await office.apply();
    await updatePolicy(office.world.ctx, { id: office.id, onExit: "revoke" });
    expect((await office.preview()).halt).toMatchObject({ reason: "limit", recent: 1, affected: 19 });
  });

  it("never halts a run that ends nothing, even if more were ended today than a lowered limit allows", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 100));
    await office.apply();
    await office.people(numbers(1, 8), "Law");
    expect((await office.apply()).counts).toMatchObject({ suspend: 8 });
    await updatePolicy(office.world.ctx, { id: office.id, blastRadius: { percent: 0, count: 0 } });
    await office.people([101]);
    expect((await office.preview()).halt).toBeNull();
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { issue: 1, suspend: 0 } });
    await office.people([9], "Law");
    expect(await office.apply()).toMatchObject({ status: "halted", halt: { reason: "limit", affected: 1 } });
  });

  it("halts where nobody matches the rule any more, also for one person", async () => {
    const office = await Office.open(await world());
    await office.people([1]);
    await office.apply();
    await office.people([1], null);
    expect((await office.preview()).halt).toMatchObject({ reason: "collapse", affected: 1 });
    expect(await office.apply()).toMatchObject({ status: "halted", halt: { reason: "collapse" } });
    expect(await office.states()).toEqual({ active: 1 });
  });

  it("names those who still hold a credential when nobody matches any more, not those who lost one today", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people([1, 2], "Law");
    expect((await office.apply()).counts).toMatchObject({ suspend: 2 });
    await office.people(numbers(3, 20), "Law");
    expect((await office.apply()).halt).toMatchObject({
      reason: "collapse",
      affected: 18,
      message: "Nobody matches the rule any more, and 18 credentials would be ended, after 2 in the last 24 hours.",
    });
  });

  it("halts before everybody's grace begins, and begins it after an approval", async () => {
    const office = await Office.open(await world(), { graceDays: 2 });
    await office.people(numbers(1, 8));
    await office.apply();
    await office.people(numbers(1, 8), null);
    const run = await office.apply();
    expect(run).toMatchObject({ status: "halted", halt: { reason: "collapse", affected: 0 }, counts: { grace: 8 } });
    const approver = await office.world.key("policies:approve");
    const approve = await office.post(`/runs/${run.id}/approve`, { planHash: run.planHash! }, approver);
    expect(approve.json()).toMatchObject({ status: "completed", counts: { ...none, grace: 8 } });
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { ...none, grace: 8 } });
    expect(await office.states()).toEqual({ active: 8 });
  });

  it("clears the halt when the data is right again", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people(numbers(1, 20), null);
    const { id } = await office.apply();
    await office.people(numbers(1, 20));
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { keep: 20 } });
    expect(await office.run(id)).toMatchObject({ status: "discarded" });
    expect(await office.policy()).toMatchObject({ status: "active" });
  });

  it("carries out the due part of an approved plan, and refuses a plan that lacks somebody", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people(numbers(1, 8), "Law");
    const { ctx } = office.world;
    const first = await office.apply();
    await office.people([9], "Law");
    await expect(approvePolicyRun(ctx, { id: office.id, run: first.id, planHash: first.planHash! })).rejects.toThrow(
      /the plan of this planHash does not/,
    );
    await office.people([9, 1]);
    expect(await approvePolicyRun(ctx, { id: office.id, run: first.id, planHash: first.planHash! })).toMatchObject({
      status: "completed",
      counts: { suspend: 7, keep: 13 },
    });
  });

  it("refuses an approval after a day, after a change of the policy, or without policies:approve", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people(numbers(1, 8), "Law");
    const run = await office.apply();
    const approval = { id: office.id, run: run.id, planHash: run.planHash! };
    const denied = await office.post(`/runs/${run.id}/approve`, { planHash: run.planHash! });
    expect([denied.status, denied.json()["scope"]]).toEqual([403, "policies:approve"]);
    const { ctx } = office.world;
    await expect(approvePolicyRun({ ...ctx, now: new Date(Date.now() + 25 * hour) }, approval)).rejects.toThrow(
      /more than 24 hours ago/,
    );
    await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { onExit: "revoke" } });
    await expect(approvePolicyRun(ctx, approval)).rejects.toThrow(/was changed since/);
    expect(await office.states()).toEqual({ active: 20 });
  });

  it("discards the plan of a halted run when it is paused", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people(numbers(1, 8), "Law");
    const { id, planHash } = await office.apply();
    await office.post("/pause");
    expect((await office.run(id)).status).toBe("discarded");
    await office.post("/resume");
    const approval = approvePolicyRun(office.world.ctx, { id: office.id, run: id, planHash: planHash! });
    await expect(approval).rejects.toThrow(/The run is discarded/);
    expect(await office.apply()).toMatchObject({ status: "halted" });
  });

  it("can be raised only with policies:approve, and lowered without it", async () => {
    const office = await Office.open(await world(), { blastRadius: { percent: 10, count: 50 } });
    const patch = async (blastRadius: object, token = office.token) => {
      const answer = await call("PATCH", `/v1/policies/${office.id}`, { token, body: { blastRadius } });
      return [answer.status, answer.json()["scope"] ?? answer.json()["blastRadius"]];
    };
    expect(await patch({ percent: 11, count: 50 })).toEqual([403, "policies:approve"]);
    expect(await patch({ percent: 5, count: 51 })).toEqual([403, "policies:approve"]);
    expect(await patch({ percent: 5, count: 50 })).toEqual([200, { percent: 5, count: 50 }]);
    const approver = await office.world.key("policies:write", "policies:read", "policies:approve");
    // A member that is left out keeps its value instead of returning to its default.
    expect(await patch({ percent: 4 })).toEqual([200, { percent: 4, count: 50 }]);
    expect(await patch({ count: 40 })).toEqual([200, { percent: 4, count: 40 }]);
    expect(await patch({ percent: 100, count: 1000 }, approver)).toEqual([200, { percent: 100, count: 1000 }]);
  });

  it("can be discarded as a plan: nobody loses a credential", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people(numbers(1, 8), "Law");
    const run = await office.apply();
    const answer = await office.post(`/runs/${run.id}/discard`, {}, await office.world.key("policies:approve"));
    expect([answer.status, answer.json()]).toMatchObject([200, { status: "discarded" }]);
    expect(await office.policy()).toMatchObject({ status: "active" });
    expect(await office.states()).toEqual({ active: 20 });
  });

  it("refuses an apply that would end more than the preview said, and accepts one that ends less", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people([1, 2], "Law");
    const { planHash } = await office.preview();
    await office.people([3], "Law");
    await office.people([21]);
    const refused = await office.post("/apply", { planHash });
    expect([refused.status, refused.json()["code"]]).toEqual([409, "plan_changed"]);
    expect(await office.states()).toEqual({ active: 20 });
    await office.people([3, 2]);
    expect((await office.apply({ planHash })).counts).toEqual({ ...none, suspend: 1, issue: 1, keep: 19 });
  });

  it("refuses an apply with the planHash of more than 500 removals if it would end less, and says why", async () => {
    const office = await Office.open(await world(), { blastRadius: { percent: 100, count: 1000 } });
    await office.people(numbers(1, 510));
    await office.apply();
    await office.people(numbers(1, 501), "Law");
    const { planHash } = await office.preview();
    await office.people([1]);
    const refused = await office.post("/apply", { planHash });
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { code: "plan_changed", detail: expect.stringMatching(/more than 500 removals .* exactly/) },
    ]);
    const now = refused.json<{ planHash: string }>();
    expect((await office.apply({ planHash: now.planHash })).counts).toMatchObject({ suspend: 500, keep: 10 });
  });
});

it("refuses an apply with the plan of a rule that was changed since, even if it ends nothing", async () => {
  const office = await Office.open(await world());
  await office.people(numbers(1, 3));
  await office.people([4, 5], "Law");
  const { planHash } = await office.preview();
  const { ctx } = office.world;
  await updatePolicy(ctx, { id: office.id, rule: { field: "attributes.dept", op: "eq", value: "Law" } });
  const refused = await office.post("/apply", { planHash });
  expect([refused.status, refused.json()["code"]]).toEqual([409, "plan_changed"]);
  expect(await office.states()).toEqual({});
  expect((await office.apply({ planHash: (await office.preview()).planHash })).counts).toMatchObject({ issue: 2 });
});

it("says who requested a run, and that a halted plan is outdated once the policy was changed", async () => {
  const office = await Office.open(await world());
  await office.people(numbers(1, 20));
  expect((await office.apply()).actor).toMatchObject({ type: "api_key", id: expect.stringMatching(/^key_/) });
  await office.people(numbers(1, 8), "Law");
  expect((await office.apply()).status).toBe("halted");
  expect((await office.policy()).planOutdated).toBe(false);
  const change = (body: object) => call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body });
  await change({ name: "Renamed" });
  expect((await office.policy()).planOutdated).toBe(false);
  await change({ onExit: "revoke" });
  expect((await office.policy()).planOutdated).toBe(true);
  await office.apply();
  expect(await office.policy()).toMatchObject({ status: "halted", planOutdated: false });
});
