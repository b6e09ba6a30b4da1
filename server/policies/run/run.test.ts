import { beforeAll, describe, expect, it } from "vitest";
import { approvePolicyRun } from "../approve-run";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { readId, uuidOf } from "@/server/core/ids";
import { Feed, fileOf } from "@/server/connectors/testing/feed";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { runChild } from "@/server/testing/child";
import { pool } from "@/server/core/db";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world, type World } from "@/server/testing/world";
import { applyPolicy } from "../apply";
import { explainPolicy } from "../explain";
import { listFailingPolicies } from "../list-failing";
import { previewPolicy } from "../preview";
import { updatePolicy } from "../update";
import { breakRuns, workOff } from "../testing/failing";
import { inMaths, numbers, Office } from "../testing/office";
import { startDuePolicy } from "./start-due";

beforeAll(ownDatabase);

const none = {
  issue: 0,
  confirming: 0,
  keep: 0,
  foreign: 0,
  renew: 0,
  resume: 0,
  suspend: 0,
  revoke: 0,
  grace: 0,
  blocked: 0,
  refused: 0,
};
const hour = 3_600_000;
const typesOf = async ({ orgId }: World) =>
  (await eventsOf(orgId)).map(({ type }) => type).filter((type) => !type.startsWith("subject."));

describe("a run of a policy", () => {
  it("issues to those who match, and names the run as the actor of each event", async () => {
    const office = await Office.open(await world());
    await office.people([1, 2]);
    await office.people([3], "Law");
    const run = await office.apply();
    expect(run).toMatchObject({ status: "completed", trigger: "manual", counts: { ...none, issue: 2 }, halt: null });
    expect(await office.states()).toEqual({ active: 2 });
    expect((await office.credentials())[0]!.source).toEqual({ type: "policy", id: office.id });
    const events = (await eventsOf(office.world.orgId)).filter(({ type }) => /^(credential|policy)\./.test(type));
    expect(events.map(({ type }) => type)).toEqual([
      "credential.created",
      "credential.issued",
      "credential.created",
      "credential.issued",
      "policy.applied",
    ]);
    expect(events[0]!.actor).toEqual({ type: "job", id: run.id });
    expect(events.at(-1)!.data.object).toMatchObject({ id: run.id, policyId: office.id, status: "completed" });
    expect((await office.apply()).counts).toEqual({ ...none, keep: 2 });
    expect(await office.policy()).toMatchObject({ status: "active", lastRun: { status: "completed" } });
  });

  it("suspends those who no longer match, and resumes them when they match again", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1, 2], "Law");
    expect((await office.apply()).counts).toEqual({ ...none, suspend: 2, keep: 8 });
    const suspended = (await office.credentials()).filter(({ state }) => state === "suspended");
    expect(suspended.map(({ suspensionReason }) => suspensionReason)).toEqual(
      Array(2).fill("The holder no longer meets the conditions for this credential."),
    );
    await office.people([1]);
    expect((await office.apply()).counts).toEqual({ ...none, resume: 1, keep: 8 });
    expect(await office.states()).toEqual({ active: 9, suspended: 1 });
  });

  it("issues a new credential in place of the suspended one with reentry reissue", async () => {
    const office = await Office.open(await world(), { reentry: "reissue" });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    await office.apply();
    await office.people([1]);
    expect((await office.apply()).counts).toEqual({ ...none, issue: 1, keep: 9 });
    expect(await office.states()).toEqual({ active: 10, revoked: 1 });
    expect((await office.apply()).counts).toEqual({ ...none, keep: 10 });
  });

  it("revokes with onExit revoke, and issues a new one to who comes back", async () => {
    const office = await Office.open(await world(), { onExit: "revoke" });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    expect((await office.apply()).counts).toEqual({ ...none, revoke: 1, keep: 9 });
    await office.people([1]);
    expect((await office.apply()).counts).toEqual({ ...none, issue: 1, keep: 9 });
  });

  it("leaves credentials alone with onExit none", async () => {
    const office = await Office.open(await world(), { onExit: "none" });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people(numbers(1, 10), null);
    expect(await office.apply()).toMatchObject({ status: "completed", counts: none });
    expect(await office.states()).toEqual({ active: 10 });
  });

  it("ends the credentials of people who are inactive, whatever the rule says", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await call("PATCH", `/v1/subjects/${await office.subject(1)}`, {
      token: office.token,
      body: { status: "inactive" },
    });
    expect((await office.apply()).counts).toEqual({ ...none, suspend: 1, keep: 9 });
  });

  it("never resumes or reissues what a person has ended", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    const [first, second] = await office.credentials();
    await call("POST", `/v1/credentials/${first!.id}/revoke`, { token: office.token, body: { reason: "Fraud" } });
    await call("POST", `/v1/credentials/${second!.id}/suspend`, { token: office.token, body: { reason: "Unpaid" } });
    expect((await office.apply()).counts).toEqual({ ...none, blocked: 2, keep: 8 });
    expect(await office.states()).toEqual({ active: 8, suspended: 1, revoked: 1 });
  });

  it.each<[string, (office: Office, credential: string) => Promise<unknown>]>([
    [
      "reissued",
      (office, id) => call("POST", `/v1/credentials/${id}/reissue`, { token: office.token, body: { reason: "Lost" } }),
    ],
    [
      "replaced",
      async (office) =>
        call("POST", "/v1/credentials", {
          token: office.token,
          body: { subject: { externalId: "p-1" }, templateId: office.templateId, ifExists: "replace" },
        }),
    ],
  ])("ends the card that was %s for one of its own", async (_, replace) => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    const subjectId = await office.subject(1);
    const card = (await office.credentials()).find((each) => each.subjectId === subjectId)!;
    await replace(office, card.id);
    expect(await office.states()).toEqual({ active: 10, revoked: 1 });
    expect((await office.apply()).counts).toEqual({ ...none, keep: 10 });
    await office.people([1], "Law");
    expect((await office.preview()).counts).toMatchObject({ suspend: 1 });
    expect((await office.apply()).counts).toEqual({ ...none, suspend: 1, keep: 9 });
    expect(await office.states()).toEqual({ active: 9, suspended: 1, revoked: 1 });
  });

  it("resumes the card that replaced one that it had suspended", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    await office.apply();
    const { id } = (await office.credentials()).find(({ state }) => state === "suspended")!;
    await call("POST", `/v1/credentials/${id}/reissue`, { token: office.token, body: {} });
    await office.people([1]);
    expect((await office.apply()).counts).toEqual({ ...none, resume: 1, keep: 9 });
  });

  it("never resumes what a person suspended after it, and keeps their reason", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    await office.apply();
    const { id } = (await office.credentials()).find(({ state }) => state === "suspended")!;
    const suspend = (reason: string) =>
      call("POST", `/v1/credentials/${id}/suspend`, { token: office.token, body: { reason } });
    const told = await suspend("Under investigation");
    expect([told.status, told.json()]).toMatchObject([
      200,
      { state: "suspended", suspensionReason: "Under investigation" },
    ]);
    expect((await suspend("Again")).json()).toMatchObject({ suspensionReason: "Under investigation" });
    const history = await call("GET", `/v1/credentials/${id}/history`, { token: office.token });
    expect(history.text).toContain("Under investigation");
    await office.people([1]);
    expect((await office.apply()).counts).toEqual({ ...none, blocked: 1, keep: 9 });
  });

  it("issues nothing in place of what a person had suspended when it expired", async () => {
    const office = await Office.open(await world(), {}, { validity: { type: "duration", amount: 10, unit: "days" } });
    await office.people([1]);
    await office.apply();
    const { id } = (await office.credentials())[0]!;
    await call("POST", `/v1/credentials/${id}/suspend`, { token: office.token, body: { reason: "Unpaid" } });
    const later = { ...office.world.ctx, now: new Date(Date.now() + 11 * 24 * hour) };
    expect((await applyPolicy(later, { id: office.id })).counts).toEqual({ ...none, blocked: 1 });
  });

  it("takes over and resumes what another policy of the template has suspended", async () => {
    const office = await Office.open(await world());
    const other = await office.beside({ rule: { field: "attributes.dept", op: "eq", value: "Law" } });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    expect((await office.apply()).counts).toEqual({ ...none, suspend: 1, keep: 9 });
    expect((await other.apply()).counts).toEqual({ ...none, resume: 1 });
    expect((await office.apply()).counts).toEqual({ ...none, keep: 9 });
    await office.people([1], "Arts");
    expect(await other.apply()).toMatchObject({ status: "halted", halt: { reason: "collapse", affected: 1 } });
  });

  it("never ends what another policy has issued for the same template", async () => {
    const office = await Office.open(await world());
    const other = await office.beside({ rule: { field: "attributes.dept", op: "eq", value: "Law" } });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    expect((await other.apply()).counts).toEqual({ ...none, foreign: 1 });
    await office.people([1], "Arts");
    expect((await other.apply()).counts).toEqual(none);
    expect(await office.states()).toEqual({ active: 10 });
    expect((await office.apply()).counts).toEqual({ ...none, suspend: 1, keep: 9 });
  });

  it("waits for the days of grace, and forgets them where somebody comes back", async () => {
    const office = await Office.open(await world(), { graceDays: 2 });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1, 2], "Law");
    expect((await office.apply()).counts).toEqual({ ...none, keep: 8, grace: 2 });
    await office.people([2]);
    await office.apply();
    const { ctx } = office.world;
    const later = (hours: number) => ({ ...ctx, now: new Date(Date.now() + hours * hour) });
    expect((await applyPolicy(later(47), { id: office.id })).counts).toEqual({ ...none, keep: 9, grace: 1 });
    expect((await applyPolicy(later(49), { id: office.id })).counts).toEqual({ ...none, suspend: 1, keep: 9 });
  });

  it("extends credentials before they expire, while their holder matches", async () => {
    const office = await Office.open(
      await world(),
      { renewal: { before: "30d" } },
      { validity: { type: "duration", amount: 365, unit: "days" } },
    );
    await office.people([1]);
    await office.apply();
    const before = (await office.credentials())[0]!.expiresAt;
    expect((await office.apply()).counts).toEqual({ ...none, keep: 1 });
    const near = { ...office.world.ctx, now: new Date(Date.parse(before) - 29 * 24 * hour) };
    expect((await applyPolicy(near, { id: office.id })).counts).toEqual({ ...none, renew: 1 });
    expect((Date.parse((await office.credentials())[0]!.expiresAt) - Date.parse(before)) / 24 / hour).toBe(365);
    expect(await typesOf(office.world)).toContain("credential.updated");
  });

  it("leaves an end that a person set: it is not extended, and nothing is issued after it", async () => {
    const office = await Office.open(
      await world(),
      { renewal: { before: "10d" } },
      { validity: { type: "duration", amount: 30, unit: "days" } },
    );
    await office.people([1, 2]);
    await office.apply();
    const near = { ...office.world.ctx, now: new Date(Date.now() + 25 * 24 * hour) };
    // What the policy has extended it extends again.
    expect((await applyPolicy(near, { id: office.id })).counts).toEqual({ ...none, renew: 2 });
    const { id } = (await office.credentials())[0]!;
    const expiresAt = new Date(near.now.getTime() + 6 * 24 * hour).toISOString();
    await call("PATCH", `/v1/credentials/${id}`, { token: office.token, body: { expiresAt } });
    const at = (days: number) => ({ ...office.world.ctx, now: new Date(near.now.getTime() + days * 24 * hour) });
    expect((await applyPolicy(at(5), { id: office.id })).counts).toEqual({ ...none, keep: 2 });
    expect((await applyPolicy(at(30), { id: office.id })).counts).toEqual({ ...none, blocked: 1, renew: 1 });
  });

  it("extends nothing where the template gives no duration any more, as preview and explain say", async () => {
    const office = await Office.open(
      await world(),
      { renewal: { before: "20d" } },
      { validity: { type: "duration", amount: 30, unit: "days" } },
    );
    await office.people([1]);
    await office.apply();
    const near = { ...office.world.ctx, now: new Date(Date.now() + 15 * 24 * hour) };
    const { counts } = await previewPolicy(near, { id: office.id });
    expect(counts).toMatchObject({ renew: 1, keep: 0 });
    // Not below 20 days: each run would extend it.
    await publishNext(office, { type: "duration", amount: 20, unit: "days" });
    expect((await previewPolicy(near, { id: office.id })).counts).toMatchObject({ renew: 0, keep: 1 });
    await publishNext(office, { type: "none" });
    expect((await previewPolicy(near, { id: office.id })).counts).toMatchObject({ renew: 0, keep: 1 });
    const subjectId = await office.subject(1);
    expect(await explainPolicy(near, { id: office.id, subjectId })).toMatchObject({ action: "keep" });
    expect((await applyPolicy(near, { id: office.id })).counts).toEqual({ ...none, keep: 1 });
  });

  it("says why somebody gets no credential, and issues to the others", async () => {
    const office = await Office.open(await world(), {}, { validity: { type: "attribute", attribute: "until" } });
    await office.people([1, 2]);
    await call("PUT", "/v1/subjects", {
      token: office.token,
      body: { externalId: "p-1", attributes: { until: "2999-01-01" } },
    });
    expect(await office.apply()).toMatchObject({
      status: "completed",
      counts: { issue: 1, refused: 1 },
      refusal: { code: "validity_unresolved" },
    });
  });

  it("ends credentials of an archived template, says that it issues none, and tells preview so", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await call("POST", `/v1/templates/${office.templateId}/versions/1/archive`, { token: office.token });
    await office.people([1, 2], "Law");
    await office.people([11]);
    expect(await office.preview()).toMatchObject({ refusal: { code: "template_archived" }, counts: { suspend: 2 } });
    expect(await office.apply()).toMatchObject({
      status: "completed",
      counts: { ...none, suspend: 2, keep: 8, refused: 1 },
      refusal: { code: "template_archived" },
    });
    await office.people([1]);
    expect((await office.apply()).counts).toEqual({ ...none, resume: 1, keep: 8, refused: 1 });
  });

  it("tells the event of a run that fails", async () => {
    const office = await Office.open(await world());
    await queued(office);
    await office.post("/pause");
    await office.work();
    expect((await office.policy()).lastRun).toMatchObject({ status: "failed", trigger: "schedule" });
    expect(await typesOf(office.world)).toContain("policy.failed");
  });

  it("follows a group", async () => {
    const w = await world();
    const token = await w.key();
    const { id: groupId } = (await call("POST", "/v1/groups", { token, body: { name: "Members" } })).json<{
      id: string;
    }>();
    const office = await Office.open(w, { groupId });
    await office.people([1, 2]);
    await call("POST", `/v1/groups/${groupId}/members`, { token, body: { externalIds: ["p-1"] } });
    expect((await office.apply()).counts).toEqual({ ...none, issue: 1 });
    const refused = await call("DELETE", `/v1/groups/${groupId}`, { token });
    expect([refused.status, refused.json()["code"]]).toEqual([409, "group_in_use"]);
  });

  it("obeys exceptions before the rule, until they end, and never for inactive people", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.people([11, 12], "Law");
    const set = async (n: number, body: object) =>
      call("PUT", `/v1/policies/${office.id}/exceptions/${await office.subject(n)}`, { token: office.token, body });
    const until = new Date(Date.now() + hour).toISOString();
    expect((await set(11, { effect: "grant", reason: "Visiting", until })).status).toBe(200);
    await set(12, { effect: "grant", reason: "Visiting" });
    await set(1, { effect: "deny", reason: "Asked for none" });
    expect((await set(2, { effect: "deny", reason: "x", until: "2020-01-01T00:00:00Z" })).status).toBe(400);
    await call("PATCH", `/v1/subjects/${await office.subject(12)}`, {
      token: office.token,
      body: { status: "inactive" },
    });
    expect((await office.apply()).counts).toEqual({ ...none, issue: 10 });
    expect((await office.get("/exceptions")).json<{ data: object[] }>().data).toHaveLength(3);
    const later = { ...office.world.ctx, now: new Date(Date.now() + 2 * hour) };
    expect((await applyPolicy(later, { id: office.id })).counts).toEqual({ ...none, suspend: 1, keep: 9 });
  });
});

describe("the blast radius of a policy", () => {
  it("lets up to five pass, whatever the percentage says", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people(numbers(1, 5), "Law");
    expect(await office.apply()).toMatchObject({ status: "completed", counts: { suspend: 5 } });
  });

  it("halts above a tenth, changes nothing, says so, and goes on when a person approves that plan", async () => {
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

  it("says of a field that somebody had it only where the rule needs it and is the one of the last run", async () => {
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
    const missing = "attributes.dept is missing for 20 of the 20 people";
    expect(await causes(inMaths)).toEqual([`${missing}, who had it when this policy last ran, less than an hour ago.`]);
    expect(await causes({ ...inMaths, value: "Law" })).toEqual([`${missing}.`]);
    const other = { field: "externalId", op: "eq", value: "nobody" };
    expect(await causes({ any: [inMaths, other] })).toEqual([`${missing}.`]);
    const [at, day] = [Date.now(), 24 * hour];
    await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { rule: inMaths } });
    const { ctx } = office.world;
    const later = async (ms: number) =>
      (await previewPolicy({ ...ctx, now: new Date(at + ms) }, { id: office.id as `pol_${string}` })).halt!.causes;
    expect(await later(30 * hour)).toEqual([`${missing}, who had it when this policy last ran, a day ago.`]);
    expect(await later(3 * day + hour)).toEqual([`${missing}, who had it when this policy last ran, 3 days ago.`]);
  });

  it("counts drop by drop over 24 hours, of those who were there when they began", async () => {
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

  it("counts who left and came back once, however often", async () => {
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

  it("never halts a run that ends nobody, also where more were ended today than a lowered limit allows", async () => {
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

  it("halts before the grace of everybody begins, and begins it once a person approves", async () => {
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

  it("forgets the halt when the data is right again", async () => {
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

  it("carries out of an approved plan what is still due, and refuses one that lacks somebody", async () => {
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

  it("takes no approval after a day, after a change of the policy, or without policies:approve", async () => {
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

  it("discards the plan of a halted run with a pause", async () => {
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

  it("is raised only with policies:approve, and lowered without", async () => {
    const office = await Office.open(await world(), { blastRadius: { percent: 10, count: 50 } });
    const patch = async (blastRadius: object, token = office.token) => {
      const answer = await call("PATCH", `/v1/policies/${office.id}`, { token, body: { blastRadius } });
      return [answer.status, answer.json()["scope"] ?? answer.json()["blastRadius"]];
    };
    expect(await patch({ percent: 11, count: 50 })).toEqual([403, "policies:approve"]);
    expect(await patch({ percent: 5, count: 51 })).toEqual([403, "policies:approve"]);
    expect(await patch({ percent: 5, count: 50 })).toEqual([200, { percent: 5, count: 50 }]);
    const approver = await office.world.key("policies:write", "policies:read", "policies:approve");
    expect(await patch({ percent: 100, count: 1000 }, approver)).toEqual([200, { percent: 100, count: 1000 }]);
  });

  it("discards a plan: nobody loses a credential", async () => {
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

  it("refuses an apply that would end more than the preview said, and takes one that ends less", async () => {
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
});

it("refuses an apply with the plan of a rule that somebody has changed since, also where it ends nothing", async () => {
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

it("says who asked for a run, and that a halted plan is outdated once the policy was changed", async () => {
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

describe("a policy beside other work", () => {
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
    expect([again.status, again.json()["code"]]).toEqual([409, "run_state"]);
    await feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:run", "connectors:approve"));
    await office.work(() => new Date(Date.now() + hour));
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

  it("halts where it would end others after its wait than the confirmed preview named, and tells registrars", async () => {
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

  it("does a step again that lost a deadlock, and fails nothing", async () => {
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

  it("is tried again at growing intervals where a step fails, lets others go on, and fails in the end", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 3));
    const run = await queued(office);
    await breakRuns(office.id);
    const other = await Office.open(await world());
    await other.people([1]);
    const untouched = await queued(other);
    let now = Date.now();
    // Tried again at once, then not at the same moment once more.
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
    // A paused policy is somebody's wish.
    await office.post("/pause");
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual([]);
    await office.post("/resume");
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual(failing);
    // The next run is none the worse for it.
    expect((await office.apply()).counts).toEqual({ ...none, issue: 3 });
    expect(await listFailingPolicies(office.world.ctx, {})).toEqual([]);
  });

  it("stops where the access token that asked for it is revoked, also once it has expired", async () => {
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

  it("takes no approval while a newer run waits", async () => {
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
    expect([approve.status, approve.json()["code"]]).toEqual([409, "run_state"]);
  });

  it("keeps what it was told when the policy is edited during a run", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    const run = await queued(office);
    await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { onExit: "revoke" } });
    await office.work();
    expect(await office.run(run)).toMatchObject({ status: "completed", counts: { suspend: 1 } });
  });

  it("stops a run whose policy is paused, and leaves what was done", async () => {
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

  it("does a run once with two workers at once", async () => {
    const office = await Office.open(await world());
    await office.people(numbers(1, 2100));
    const run = await queued(office);
    await Promise.all([office.work(), office.work(), office.work()]);
    expect(await office.run(run)).toMatchObject({ status: "completed", counts: { ...none, issue: 2100 } });
    expect(await issuedIn(office)).toBe(2100);
  });

  it("goes on after a kill in the middle, and does nothing twice", async () => {
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
    while ((await waitingForLock()).length === 0);
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

/** Publishes another version of the policy's template, with this validity. */
async function publishNext({ templateId, token }: Office, validity: object): Promise<void> {
  const answer = await call("POST", `/v1/templates/${templateId}/versions`, {
    token,
    body: { validity, publish: true },
  });
  expect(answer.status).toBe(201);
}

/** Queues a run by the schedule of the policy, for the job. */
async function queued(office: Office): Promise<string> {
  await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { schedule: { cron: "0 5 * * *" } } });
  while (await startDuePolicy(new Date(Date.now() + 25 * hour)));
  return (await office.policy()).lastRun!.id;
}
