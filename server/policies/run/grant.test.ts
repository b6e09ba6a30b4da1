import { beforeAll, describe, expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { applyPolicy } from "../apply";
import { numbers, Office } from "../testing/office";
import type { RunView } from "../run-view";

beforeAll(ownDatabase);

const day = 24 * 3_600_000;

/**
 * Runs the policy, and calls `work` between the moments when the run has read the credentials and when it changes them:
 * the run waits for the row of a new person, to whom it issues first.
 */
async function between(office: Office, run: () => Promise<RunView>, work: () => Promise<unknown>): Promise<RunView> {
  await office.people([99]);
  const holder = await pool().connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM subjects WHERE org_id = $1 AND external_id = 'p-99' FOR UPDATE", [
      office.world.orgId,
    ]);
    const running = run();
    await expect.poll(() => waitingForLock("FROM subjects"), { timeout: 10_000 }).toHaveLength(1);
    await work();
    await holder.query("COMMIT");
    return await running;
  } finally {
    holder.release(true);
  }
}

const cardOf = async (office: Office, n: number) => {
  const subjectId = await office.subject(n);
  return (await office.credentials()).find((each) => each.subjectId === subjectId)!;
};

describe("a person's action during a run", () => {
  /** The card of person 1 is suspended by the policy, and the person matches again. */
  const backAgain = async (body: object = {}) => {
    const office = await Office.open(await world(), body);
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    await office.apply();
    await office.people([1]);
    const { id } = await cardOf(office, 1);
    const post = (verb: string, reason: string) =>
      call("POST", `/v1/credentials/${id}/${verb}`, { token: office.token, body: { reason } });
    return { office, id, post };
  };

  it.each(["resume", "reissue"])("is kept by a run with reentry %s: a suspension", async (reentry) => {
    const { office, id, post } = await backAgain({ reentry });
    const run = await between(
      office,
      () => office.apply(),
      () => post("suspend", "Under investigation"),
    );
    expect(run.counts).toMatchObject({ issue: 1, resume: 0, blocked: 1, keep: 9 });
    expect(await cardOf(office, 1)).toMatchObject({
      id,
      state: "suspended",
      suspensionReason: "Under investigation",
    });
  });

  it.each(["resume", "reissue"])("is kept by a run with reentry %s: a revocation", async (reentry) => {
    const { office, post } = await backAgain({ reentry });
    const run = await between(
      office,
      () => office.apply(),
      () => post("revoke", "Fraud"),
    );
    expect(run).toMatchObject({ counts: { issue: 1, resume: 0, blocked: 1, keep: 9, refused: 0 }, refusal: null });
    expect(await office.states()).toEqual({ active: 10, revoked: 1 });
  });

  it("is kept by a renewal: a chosen end", async () => {
    const office = await Office.open(
      await world(),
      { renewal: { before: "10d" } },
      { validity: { type: "duration", amount: 30, unit: "days" } },
    );
    await office.people([1, 2]);
    await office.apply();
    const { id } = await cardOf(office, 1);
    const near = { ...office.world.ctx, now: new Date(Date.now() + 25 * day) };
    const expiresAt = new Date(Date.now() + 27 * day).toISOString();
    const run = await between(
      office,
      () => applyPolicy(near, { id: office.id }),
      () => call("PATCH", `/v1/credentials/${id}`, { token: office.token, body: { expiresAt } }),
    );
    expect(run.counts).toMatchObject({ issue: 1, renew: 1, keep: 1 });
    expect(await cardOf(office, 1)).toMatchObject({ expiresAt });
  });
});
