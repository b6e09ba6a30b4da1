import { beforeAll, describe, expect, it } from "vitest";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { readId, uuidOf } from "@/server/core/ids";
import { fetchNext } from "@/server/connectors/run/fetch";
import { runConnectorStep } from "@/server/connectors/run/step";
import { Feed, fileOf } from "@/server/connectors/testing/feed";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { runChild } from "@/server/testing/child";
import { pool } from "@/server/core/db";
import { sql } from "@/server/testing/sql";
import { untilWaitingForLock, waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { listFailingPolicies } from "../list-failing";
import { breakRuns, workOff } from "../testing/failing";
import { inMaths, numbers, Office } from "../testing/office";
import { none, hour, typesOf, queued } from "../testing/runs";

beforeAll(ownDatabase);

describe("a policy next to other work", () => {
  it("waits for the held run of a connector that provides its holders", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 20)));
    const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
    await office.apply();
    const held = await feed.upload(fileOf([1]));
    expect(held.status).toBe("held");
    const answer = await office.post("/apply");
    expect([answer.status, answer.json()]).toMatchObject([202, { status: "waiting", waitsFor: held.id }]);
    const again = await office.post("/apply");
    expect([again.status, again.json()]).toMatchObject([
      409,
      { code: "run_in_progress", detail: expect.stringContaining("a file of the connector Registry") },
    ]);
    await feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:run", "connectors:approve"));
    // It continues as soon as the file's run has ended.
    await office.work();
    expect((await office.policy()).lastRun).toMatchObject({ status: "completed", counts: { keep: 20 } });
  });

  it("waits for the held run of a connector that provides people whom it would issue to", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 20)));
    const held = await feed.upload(fileOf([1]));
    expect(held.status).toBe("held");
    const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
    expect((await office.post("/apply")).json()).toMatchObject({ status: "waiting", waitsFor: held.id });
    const others = await office.beside({ rule: inMaths });
    await others.people([101]);
    expect((await others.apply()).counts).toMatchObject({ issue: 1 });
    await feed.post(`/runs/${held.id}/approve`, {}, await w.key("connectors:run", "connectors:approve"));
    await feed.work();
    await office.work(() => new Date(Date.now() + hour));
    expect((await office.policy()).lastRun).toMatchObject({ status: "completed", counts: { issue: 1, foreign: 0 } });
  });

  it("halts if it would end other credentials after its wait than the confirmed preview named, and notifies registrars", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 20)));
    const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
    await office.apply();
    const deactivate = async (n: number) =>
      call("PATCH", `/v1/subjects/${await office.subject(n)}`, { token: office.token, body: { status: "inactive" } });
    await deactivate(1);
    const { planHash } = await office.preview();
    const held = await feed.upload(fileOf([20]));
    const stale = await office.post("/apply", { planHash: `00000000${planHash.slice(8)}` });
    expect([stale.status, stale.json()]).toMatchObject([409, { code: "plan_changed", planHash }]);
    expect((await office.post("/apply", { planHash })).json()).toMatchObject({ status: "waiting" });
    await deactivate(2);
    await feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:run", "connectors:approve"));
    await office.work(() => new Date(Date.now() + hour));
    const { lastRun: run } = await office.policy();
    expect(run).toMatchObject({ status: "halted", error: null, halt: { reason: "changed", affected: 2 } });
    expect(run!.halt!.message).toContain("Look at the names, then approve this run");
    expect(run!.halt!.message).not.toMatch(/planHash|API/);
    expect(await office.states()).toEqual({ active: 20 });
    const approve = await office.post(
      `/runs/${run!.id}/approve`,
      { planHash: run!.planHash! },
      await w.key("policies:approve"),
    );
    expect(approve.json()).toMatchObject({ status: "completed", counts: { suspend: 2, keep: 18 } });
  });

  it("refuses to be applied at once while a step of its run is in progress, and does not wait for the step", async () => {
    const office = await Office.open(await world());
    await office.people([1]);
    await queued(office);
    const step = await pool().connect();
    try {
      await step.query("BEGIN");
      // Each step begins with this change, and then locks the policy.
      await step.query("UPDATE policy_runs SET attempts = 0 WHERE org_id = $1", [office.world.orgId]);
      const answer = await office.post("/apply");
      expect([answer.status, answer.json()["code"]]).toEqual([409, "run_in_progress"]);
      await step.query("ROLLBACK");
    } finally {
      step.release(true);
    }
  });

  it("repeats a step that lost a deadlock, without a failure", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 20));
    await office.apply();
    await office.people([1, 2], "Law");
    await queued(office);
    const leaving = [await office.subject(1), await office.subject(2)];
    // The step locks credentials in the order of their ids.
    const ids = (await office.credentials())
      .filter(({ subjectId }) => leaving.includes(subjectId))
      .map(({ id }) => uuidOf(readId("crd", id)))
      .sort();
    const other = await pool().connect();
    try {
      await other.query("BEGIN; SET LOCAL deadlock_timeout = '10min'");
      const lock = (id: string) =>
        other.query("SELECT FROM credentials WHERE org_id = $1 AND id = $2 FOR UPDATE", [office.world.orgId, id]);
      await lock(ids[1]!);
      const working = office.work();
      await expect.poll(() => waitingForLock("FROM credentials"), { timeout: 10_000 }).toHaveLength(1);
      await lock(ids[0]!);
      await other.query("COMMIT");
      await working;
    } finally {
      other.release(true);
    }
    expect((await office.policy()).lastRun).toMatchObject({ status: "completed", counts: { suspend: 2, keep: 18 } });
  });

  it("retries a failing step at growing intervals, does not block others, and fails in the end", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 3));
    const run = await queued(office);
    await breakRuns(office.id);
    const other = await Office.open(await world());
    await other.people([1]);
    const untouched = await queued(other);
    let now = Date.now();
    // The first retry is at once, the second one only later.
    expect(await workOff(now)).toBe(2);
    expect(await office.run(run)).toMatchObject({ status: "running", attempts: 2 });
    expect(await other.run(untouched)).toMatchObject({ status: "completed", attempts: 0 });
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual([]);
    expect(await workOff(now + 3_000)).toBe(0);
    let failures = 2;
    for (const _ of numbers(1, 9)) failures += await workOff((now += 300_000));
    expect(failures).toBe(10);
    const failed = await office.run(run);
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "step_failed", message: expect.stringContaining("tried 10 times") },
      finishedAt: expect.any(String),
    });
    expect(await typesOf(office.world)).toEqual([expect.any(String), "policy.failed"]);
    const failing = [
      {
        policyId: office.id,
        policyName: "Members",
        runId: run,
        message: failed.error!.message,
        failedAt: failed.finishedAt,
      },
    ];
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual(failing);
    // Somebody paused the policy on purpose.
    await office.post("/pause");
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual([]);
    await office.post("/resume");
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual(failing);
    // The next run is not affected.
    expect((await office.apply()).counts).toEqual({ ...none, issue: 3 });
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual([]);
  });

  it("stops if the access token that requested it is revoked, even after the token expired", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 20)));
    const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
    await office.apply();
    const held = await feed.upload(fileOf([1]));
    const client = await createOAuthClient(w.ctx, { name: "Registry", scopes: ["policies:apply"] });
    const form = (path: string, fields: Record<string, string>) =>
      call("POST", path, {
        raw: new URLSearchParams({
          client_id: client.clientId,
          client_secret: client.clientSecret,
          ...fields,
        }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const tokenOf = async () =>
      (await form("/oauth/token", { grant_type: "client_credentials" })).json<{ access_token: string }>().access_token;
    const token = await tokenOf();
    expect((await office.post("/apply", {}, token)).json()).toMatchObject({ status: "waiting" });
    expect((await form("/oauth/revoke", { token })).status).toBe(200);
    await sql(`UPDATE access_tokens SET expires_at = created_at WHERE org_id = $1`, [w.orgId]);
    await tokenOf();
    await feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:run", "connectors:approve"));
    await office.work(() => new Date(Date.now() + hour));
    expect((await office.policy()).lastRun).toMatchObject({
      status: "failed",
      error: { code: "job_stopped", message: expect.stringContaining("access token") },
    });
  });

  it("refuses an approval while a newer run waits", async () => {
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
    expect((await feed.upload(fileOf([1]))).status).toBe("held");
    expect((await office.post("/apply")).json()).toMatchObject({ status: "waiting" });
    const approve = await office.post(
      `/runs/${run.id}/approve`,
      { planHash: run.planHash! },
      await w.key("policies:approve"),
    );
    expect([approve.status, approve.json()["code"]]).toEqual([409, "run_in_progress"]);
  });

  it("keeps its copy of the policy when the policy is edited during a run", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    const run = await queued(office);
    await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { onExit: "revoke" } });
    await office.work();
    expect(await office.run(run)).toMatchObject({ status: "completed", counts: { suspend: 1 } });
  });

  it("stops a run whose policy is paused, and keeps what was done", async () => {
    const office = await Office.open(await world());
    await office.people([1]);
    const run = await queued(office);
    await office.post("/pause");
    await office.work();
    expect(await office.run(run)).toMatchObject({ status: "failed", error: { code: "policy_paused" } });
    const refused = await office.post("/apply");
    expect([refused.status, refused.json()["code"]]).toEqual([409, "policy_paused"]);
    await office.post("/resume");
    expect((await office.apply()).counts).toEqual({ ...none, issue: 1 });
  });

  it("does a run once with two concurrent workers", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 2100));
    const run = await queued(office);
    await Promise.all([office.work(), office.work(), office.work()]);
    expect(await office.run(run)).toMatchObject({ status: "completed", counts: { ...none, issue: 2100 } });
    expect(await issuedIn(office)).toBe(2100);
  });

  it("continues after a kill in the middle, and does nothing twice", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 2100));
    const run = await queued(office);
    // The last person is in the second window: the first one is done when the worker waits for them.
    const holder = await pool().connect();
    await holder.query("BEGIN");
    await holder.query("SELECT FROM subjects WHERE org_id = $1 AND external_id = 'p-2100' FOR UPDATE", [
      office.world.orgId,
    ]);
    const child = await runChild("server/policies/testing/worker.child.ts");
    expect(await child.line()).toBe("working");
    await untilWaitingForLock(1);
    await child.kill();
    await holder.query("ROLLBACK");
    holder.release();
    expect(await office.run(run)).toMatchObject({ status: "running", counts: { issue: 2000 } });
    while ((await office.run(run)).status === "running") await office.work();
    expect(await office.run(run)).toMatchObject({ status: "completed", counts: { ...none, issue: 2100 } });
    expect(await issuedIn(office)).toBe(2100);
  });
});

const issuedIn = async ({ world: { orgId } }: Office) =>
  (
    await sql<{ n: number }>(`SELECT count(*) AS n FROM events WHERE org_id = $1 AND type = 'credential.issued'`, [
      orgId,
    ])
  )[0]!.n;

it("waits while a file is applied that moves its holders from one group to another", async () => {
  const w = await world();
  const feed = await Feed.open(w, { mapping: { externalId: "id", attributes: { dept: "dept" }, groups: ["class"] } });
  const file = (dept: string, group: string) =>
    ["id,dept,class", ...numbers(1, 5).map((n) => `p-${n},${dept},${group}`), ""].join("\n");
  await feed.upload(file("Law", "Class 2"));
  await feed.upload(file("Maths", "Class 1"));
  const groups = (await call("GET", "/v1/groups", { token: feed.token })).json<{
    data: { id: string; name: string }[];
  }>().data;
  const isIn = (name: string) => ({
    field: "groups",
    op: "contains",
    value: groups.find((group) => group.name === name)!.id,
  });
  const inLaw = { field: "attributes.dept", op: "eq", value: "Law" };
  const office = await Office.open(w, {
    rule: { any: [{ all: [inMaths, isIn("Class 1")] }, { all: [inLaw, isIn("Class 2")] }] },
    onExit: "revoke",
  });
  await office.apply();
  const { id } = await feed.queue(file("Law", "Class 2"));
  let looked: unknown;
  while ((await fetchNext(new Date())) || (await runConnectorStep(new Date()))) {
    const { status } = (await office.policy()).lastRun!;
    if (status === "waiting") continue;
    const { data } = await office.preview({ actions: ["revoke"] });
    if (data.length > 0) looked = (await office.post("/apply")).json();
  }
  expect(looked).toMatchObject({ status: "waiting", waitsFor: id });
  await office.work(() => new Date(Date.now() + hour));
  expect((await office.policy()).lastRun).toMatchObject({ status: "completed", counts: { ...none, keep: 5 } });
  expect(await office.states()).toEqual({ active: 5 });
});
