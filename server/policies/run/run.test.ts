import { beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { applyPolicy } from "../apply";
import { explainPolicy } from "../explain";
import { previewPolicy } from "../preview";
import { numbers, Office } from "../testing/office";
import { none, hour, typesOf, queued } from "../testing/runs";

beforeAll(ownDatabase);

describe("a run of a policy", () => {
  it("issues to people who match, and names the run as the actor of each event", async () => {
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

  it("suspends the credentials of people who no longer match, and resumes them when they match again", async () => {
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

  it("revokes with onExit revoke, and issues a new one to a person who comes back", async () => {
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

  it("never resumes or reissues a credential that a person has ended", async () => {
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
  ])("ends the card that was %s to replace one of its own", async (_, replace) => {
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

  it("never resumes a credential that a person suspended after it, and keeps their reason", async () => {
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

  it("issues nothing in place of a credential that a person had suspended when it expired", async () => {
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

  it("waits for the days of grace, and clears them if the person comes back", async () => {
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

  it("keeps an end that a person set: it is not extended, and nothing is issued after it", async () => {
    const office = await Office.open(
      await world(),
      { renewal: { before: "10d" } },
      { validity: { type: "duration", amount: 30, unit: "days" } },
    );
    await office.people([1, 2]);
    await office.apply();
    const near = { ...office.world.ctx, now: new Date(Date.now() + 25 * 24 * hour) };
    // An end that the policy has extended is extended again.
    expect((await applyPolicy(near, { id: office.id })).counts).toEqual({ ...none, renew: 2 });
    const { id } = (await office.credentials())[0]!;
    const expiresAt = new Date(near.now.getTime() + 6 * 24 * hour).toISOString();
    await call("PATCH", `/v1/credentials/${id}`, { token: office.token, body: { expiresAt } });
    const at = (days: number) => ({ ...office.world.ctx, now: new Date(near.now.getTime() + days * 24 * hour) });
    expect((await applyPolicy(at(5), { id: office.id })).counts).toEqual({ ...none, keep: 2 });
    expect((await applyPolicy(at(30), { id: office.id })).counts).toEqual({ ...none, blocked: 1, renew: 1 });
  });

  it("extends nothing if the template no longer has a duration, as preview and explain say", async () => {
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
    // At least 20 days, because otherwise each run would extend it.
    await publishNext(office, { type: "duration", amount: 20, unit: "days" });
    expect((await previewPolicy(near, { id: office.id })).counts).toMatchObject({ renew: 0, keep: 1 });
    await publishNext(office, { type: "none" });
    expect((await previewPolicy(near, { id: office.id })).counts).toMatchObject({ renew: 0, keep: 1 });
    const subjectId = await office.subject(1);
    expect(await explainPolicy(near, { id: office.id, subjectId })).toMatchObject({ action: "keep" });
    expect((await applyPolicy(near, { id: office.id })).counts).toEqual({ ...none, keep: 1 });
  });

  it("says why a person gets no credential, and issues to the others", async () => {
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

  it("ends credentials of an archived template, says that it issues none, and reports this in the preview", async () => {
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

  it("emits the event of a failing run", async () => {
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

  it("applies exceptions before the rule, until they end, and never for inactive people", async () => {
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

/** Publishes another version of the policy's template, with this validity. */
async function publishNext({ templateId, token }: Office, validity: object): Promise<void> {
  const answer = await call("POST", `/v1/templates/${templateId}/versions`, {
    token,
    body: { validity, publish: true },
  });
  expect(answer.status).toBe(201);
}
