import { beforeAll, describe, expect, it } from "vitest";
import { reissueCredential } from "@/server/credentials/reissue";
import type { Query } from "@/server/core/db";
import { asId, readId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { applyPolicy } from "../apply";
import { approvePolicyRun } from "../approve-run";
import { configOf } from "../config";
import { loadPolicy } from "../load";
import { numbers, Office } from "../testing/office";
import { radiusOf } from "./halt";
import { PolicySql } from "./people";

beforeAll(ownDatabase);

const hour = 3_600_000;

describe("the base of the limit", () => {
  it("is the number of holders when the 24 hours began, so that new people do not raise it for the others", async () => {
    const office = await Office.open(await world());
    const at = (hours: number) => ({ ...office.world.ctx, now: new Date(Date.now() + hours * hour) });
    const apply = (hours: number) => applyPolicy(at(hours), { id: office.id });
    await office.people(numbers(1, 60));
    await apply(0);
    await office.people(numbers(61, 260));
    expect((await apply(30)).counts).toMatchObject({ issue: 200, keep: 60 });
    await office.people(numbers(1, 20), "Law");
    expect(await apply(31)).toMatchObject({ status: "halted", halt: { holders: 60, limit: 6, affected: 20 } });
    // People who lost their credential within the window belong to the base, and people who got theirs within it do
    // not.
    await office.people(numbers(5, 20));
    expect(await apply(32)).toMatchObject({ status: "completed", counts: { suspend: 4 } });
    await office.people(numbers(200, 210), "Law");
    expect(await apply(33)).toMatchObject({ status: "halted", halt: { holders: 60, recent: 4, affected: 11 } });
    // A day later all of them belong to the base.
    expect(await apply(57)).toMatchObject({ status: "completed", counts: { suspend: 11 } });
  });

  it("counts a card that was reissued within the 24 hours as its predecessor", async () => {
    const office = await Office.open(await world());
    const { ctx } = office.world;
    await office.people(numbers(1, 60));
    await applyPolicy(ctx, { id: office.id });
    const [card] = await office.credentials();
    const at = (hours: number) => ({ ...ctx, now: new Date(Date.now() + hours * hour) });
    await reissueCredential(at(29), { id: card!.id });
    await office.people(numbers(1, 20), "Law");
    expect(await applyPolicy(at(30), { id: office.id })).toMatchObject({ halt: { holders: 60 } });
  });
});

it("halts a collapse that would permanently revoke suspended credentials, even if nobody holds a valid one", async () => {
  const office = await Office.open(await world());
  await office.people([1, 2, 3]);
  await office.people([4], "Law");
  await office.apply();
  await office.people([1, 2, 3], "Arts");
  const { id, planHash } = await office.apply();
  await approvePolicyRun(office.world.ctx, { id: office.id, run: id, planHash: planHash! });
  expect(await office.states()).toEqual({ suspended: 3 });
  await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { onExit: "revoke" } });
  const later = { ...office.world.ctx, now: new Date(Date.now() + 25 * hour) };
  expect(await applyPolicy(later, { id: office.id })).toMatchObject({
    status: "halted",
    halt: {
      reason: "collapse",
      affected: 3,
      message: "Nobody matches the rule any more, and 3 suspended credentials would be revoked.",
    },
  });
  expect(await office.states()).toEqual({ suspended: 3 });
});

interface PlanNode {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** How many rows the nodes of an executed plan returned and filtered out. */
const rowsOf = (node: PlanNode): number =>
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"] +
  (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);

it("is counted with a few reads per holder, also when PostgreSQL's statistics know how many there are", async () => {
  const office = await Office.open(await world(), { blastRadius: { percent: 100, count: 100_000 } });
  const { orgId } = office.world;
  await office.people(numbers(1, 5000));
  await office.apply();
  await office.people(numbers(1, 1000), "Law");
  expect((await office.apply()).counts).toMatchObject({ suspend: 1000 });
  await sql("ANALYZE credentials, policy_removals, policy_runs");
  const policy = await loadPolicy(office.world.ctx, readId("pol", office.id));
  let read = 0;
  await transaction(async (tx) => {
    // So little memory that 4,000 holders do not fit, as a million do not fit otherwise.
    tx.send("SET LOCAL work_mem = '64kB'");
    tx.send("SET LOCAL plan_cache_mode = force_custom_plan");
    const explain: Query = async (text, values) => {
      const [row] = await tx.sql<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      read += rowsOf(row!["QUERY PLAN"][0].Plan);
      return [{ recent: 1 }] as never;
    };
    await radiusOf(
      explain,
      new PolicySql(orgId, policy.id, configOf(policy), { now: new Date(), timeZone: "Europe/Berlin" }),
      [{ credential_id: asId("0"), action: "suspend" }],
    );
  });
  expect(read).toBeGreaterThan(4000);
  expect(read).toBeLessThan(50_000);
});
