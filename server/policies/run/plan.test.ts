import { beforeAll, describe, expect, it } from "vitest";
import { Feed, fileOf } from "@/server/connectors/testing/feed";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { numbers, Office } from "../testing/office";
import { runPolicyStep } from "./step";
import { startDuePolicy } from "./start-due";

beforeAll(ownDatabase);

const hour = 3_600_000;

describe("a run that waits for a connector's file while its policy is changed", () => {
  const waiting = async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 20)));
    const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
    await office.apply();
    await call("PATCH", `/v1/subjects/${await office.subject(1)}`, {
      token: office.token,
      body: { status: "inactive" },
    });
    const { planHash } = await office.preview();
    const held = await feed.upload(fileOf([20]));
    const decide = async () => {
      await feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:run", "connectors:approve"));
      await office.work(() => new Date(Date.now() + hour));
      return (await office.policy()).lastRun!;
    };
    const change = (body: object) => call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body });
    return { office, planHash, decide, change };
  };

  it("uses the policy as it is when the wait is over", async () => {
    const { office, decide, change } = await waiting();
    expect((await office.post("/apply")).json()).toMatchObject({ status: "waiting" });
    await change({ onExit: "none" });
    expect(await decide()).toMatchObject({ status: "completed", counts: { suspend: 0, keep: 19 } });
    expect(await office.states()).toEqual({ active: 20 });
  });

  it("fails if somebody had confirmed the plan of the former policy", async () => {
    const { office, planHash, decide, change } = await waiting();
    expect((await office.post("/apply", { planHash })).json()).toMatchObject({ status: "waiting" });
    await change({ onExit: "revoke" });
    expect(await decide()).toMatchObject({
      status: "failed",
      error: { code: "plan_changed", message: expect.stringContaining("was changed while this run waited for a file") },
    });
    expect(await office.states()).toEqual({ active: 20 });
  });
});

it("clears the policy's halt if the run that replaced the halted one has failed", async () => {
  const office = await Office.open(await world(), { schedule: { cron: "0 5 * * *" } });
  await office.people(numbers(1, 20));
  await office.apply();
  await office.people(numbers(1, 8), "Law");
  expect((await office.apply()).status).toBe("halted");
  await office.people(numbers(2, 8));
  while (await startDuePolicy(new Date(Date.now() + 25 * hour)));
  await runPolicyStep(new Date());
  await sql(`UPDATE policy_runs SET attempts = 10 WHERE org_id = $1 AND status = 'running'`, [office.world.orgId]);
  await office.work(() => new Date(Date.now() + hour));
  expect(await office.policy()).toMatchObject({ status: "active", haltedSince: null, lastRun: { status: "failed" } });
});
