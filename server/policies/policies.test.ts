import { actorNames } from "@/server/access/actor-names";
import { beforeAll, describe, expect, it } from "vitest";
import { newPublicId } from "@/server/core/ids";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { dayOf } from "@/server/core/dates";
import { updateOrganisation } from "@/server/organisations/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { inMaths, numbers, Office } from "./testing/office";
import { policyDays } from "./days";
import { previewPolicy } from "./preview";
import { actions, type Action } from "./run-view";
import type { PolicyView } from "./view";

beforeAll(ownDatabase);

describe("a policy", () => {
  it("is created with safe defaults, changed, paused, resumed and deleted", async () => {
    const w = await world();
    const office = await Office.open(w);
    const before = await office.policy();
    expect(before).toMatchObject({
      object: "policy",
      onExit: "suspend",
      reentry: "resume",
      graceDays: 0,
      schedule: null,
      blastRadius: { percent: 10, count: 500 },
      renewal: null,
      status: "active",
      nextRunAt: null,
      lastRun: null,
    });
    const patch = await call("PATCH", `/v1/policies/${office.id}`, {
      token: office.token,
      body: { graceDays: 3, schedule: { cron: "30 4 * * 1", timeZone: "Europe/Berlin" } },
    });
    const { nextRunAt, ...changed } = patch.json<PolicyView>();
    expect(changed).toMatchObject({ graceDays: 3, schedule: { cron: "30 4 * * 1", timeZone: "Europe/Berlin" } });
    expect(
      new Date(nextRunAt!).toLocaleString("en-GB", {
        timeZone: "Europe/Berlin",
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
      }),
    ).toBe("Mon 04:30");
    expect((await office.post("/pause")).json()).toMatchObject({ status: "paused", nextRunAt: null });
    expect((await office.post("/resume")).json()).toMatchObject({ status: "active", nextRunAt });
    const list = await call("GET", "/v1/policies?status=active", { token: office.token });
    expect(list.json<{ data: PolicyView[] }>().data.map(({ id }) => id)).toEqual([office.id]);
    await office.people([1]);
    await office.apply();
    expect((await call("DELETE", `/v1/policies/${office.id}`, { token: office.token })).status).toBe(204);
    expect((await office.get()).status).toBe(404);
    expect(await office.states()).toEqual({ active: 1 });
    expect(await auditOf(w.orgId)).toEqual(
      expect.arrayContaining(["policy.created", "policy.updated", "policy.paused", "policy.resumed", "policy.deleted"]),
    );
  });

  it.each<[string, object, string]>([
    [
      "a rule with an unknown operator",
      { rule: { all: [{ field: "status", op: "like", value: "a" }] } },
      "/rule/all/0/op",
    ],
    [
      "a rule with a hostile path",
      { rule: { field: "attributes.__proto__'; DROP TABLE policies", op: "eq", value: [] } },
      "/rule/value",
    ],
    ["a rule and a group", { rule: inMaths, groupId: newPublicId("grp") }, "/rule"],
    ["neither", {}, "/rule"],
    ["an unknown group", { groupId: newPublicId("grp") }, "/groupId"],
    [
      "an unknown group in the rule",
      { rule: { field: "groups", op: "in", value: [newPublicId("grp")] } },
      "/rule/value/0",
    ],
    ["a schedule of every minute", { rule: inMaths, schedule: { cron: "* * * * *" } }, "/schedule/cron"],
    ["a schedule that never comes", { rule: inMaths, schedule: { cron: "0 0 31 2 *" } }, "/schedule/cron"],
    [
      "an unknown time zone",
      { rule: inMaths, schedule: { cron: "0 5 * * *", timeZone: "Mars/Base" } },
      "/schedule/timeZone",
    ],
    ["renewal without a duration", { rule: inMaths, renewal: { before: "30d" } }, "/renewal"],
    ["text in place of a number", { rule: inMaths, graceDays: "3" }, "/graceDays"],
    ["a radius above all", { rule: inMaths, blastRadius: { percent: 101, count: 1 } }, "/blastRadius/percent"],
  ])("is refused with a pointer: %s", async (_, body, pointer) => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx);
    const answer = await call("POST", "/v1/policies", {
      token: await w.key(),
      body: { name: "x", templateId, ...body },
    });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer]).toEqual([
      400,
      pointer,
    ]);
  });

  it("writes nothing in a preview, and pages through the people of chosen actions", async () => {
    const w = await world();
    const office = await Office.open(w);
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people(numbers(11, 14));
    await office.people([1, 3], "Law");
    const tables = ["credentials", "policy_runs", "policy_removals", "policy_lapses", "events", "audit_entries"];
    const count = () =>
      Promise.all(tables.map((table) => sql(`SELECT count(*) AS n FROM ${table} WHERE org_id = $1`, [w.orgId])));
    const before = await count();
    const { planHash, counts, data } = await office.preview();
    expect(counts).toMatchObject({ issue: 4, keep: 8, suspend: 2 });
    expect(data.map(({ externalId, action }) => `${externalId} ${action}`)).toEqual([
      "p-1 suspend",
      "p-3 suspend",
      "p-11 issue",
      "p-12 issue",
      "p-13 issue",
      "p-14 issue",
    ]);
    const told = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await office.preview({ actions: ["issue", "suspend", "keep"], limit: 3, ...(cursor && { cursor }) });
      told.push(...page.data.map(({ externalId }) => externalId));
      cursor = page.nextCursor;
    }
    expect(told).toEqual(numbers(1, 14).map((n) => `p-${n}`));
    expect((await office.preview()).planHash).toBe(planHash);
    expect(await count()).toEqual(before);
  });

  it("counts in a preview the people whom its pages list, for each action", async () => {
    for (const graceDays of [0, 2]) {
      const office = await Office.open(await world(), { graceDays });
      const other = await office.beside({ rule: { field: "attributes.dept", op: "eq", value: "Law" } });
      // The other policy keeps the credential of 32, and that of 1, who moves to this policy.
      await office.people([1, 32], "Law");
      await other.apply();
      await office.people(numbers(1, 30));
      await office.apply();
      /** Lets a run begin the days of grace, and lets them pass. */
      const graceEnds = async () => {
        if (graceDays === 0) return;
        await office.apply();
        await sql(`UPDATE policy_lapses SET since = since - interval '3 days' WHERE org_id = $1`, [office.world.orgId]);
      };
      await office.people([2], "Arts");
      await graceEnds();
      await office.apply();
      const subjectId = await office.subject(3);
      const { id } = (await office.credentials()).find((each) => each.subjectId === subjectId)!;
      await call("POST", `/v1/credentials/${id}/revoke`, { token: office.token, body: { reason: "Left" } });
      await office.people([4], "Arts");
      await graceEnds();
      await office.people([2, 31]);
      await office.people([5], "Arts");
      const { counts, data } = await office.preview({ actions: [...actions], limit: 100 });
      const listed = Map.groupBy(data, ({ action }) => action);
      expect(counts).toEqual(
        Object.fromEntries(Object.keys(counts).map((action) => [action, listed.get(action as Action)?.length ?? 0])),
      );
      const leaving = graceDays === 0 ? { suspend: 2, grace: 0 } : { suspend: 1, grace: 1 };
      expect(counts).toMatchObject({ foreign: 1, resume: 1, blocked: 1, issue: 1, keep: 25, ...leaving });
    }
  });

  it("warns in a preview of people without a name who would get a certificate, unless they confirm it first", async () => {
    const w = await world();
    const attributes = { dept: "Maths" };
    const warnedOf = async (template: object) => {
      const office = await Office.open(w, {}, { name: JSON.stringify(template), ...template });
      const { data } = await office.preview();
      return data.flatMap(({ externalId, warnings }) => warnings.map(({ code }) => [externalId, code]));
    };
    await upsertSubject(w.ctx, { externalId: "named", displayName: "Ada Lovelace", attributes });
    await upsertSubject(w.ctx, { externalId: "unnamed", attributes });
    expect(await warnedOf({ kind: "academic" })).toEqual([["unnamed", "unnamed_holder"]]);
    expect(await warnedOf({ kind: "academic", confirmName: true })).toEqual([]);
    expect(await warnedOf({ kind: "membership" })).toEqual([]);
  });

  it("answers how many active people match when it is saved", async () => {
    const office = await Office.open(await world());
    await office.people([1, 2, 3]);
    await office.people([4], "Law");
    const { token, templateId } = office;
    await call("PATCH", `/v1/subjects/${await office.subject(3)}`, { token, body: { status: "inactive" } });
    const saved = await call("POST", "/v1/policies", { token, body: { name: "Again", templateId, rule: inMaths } });
    expect([saved.status, saved.json()]).toMatchObject([201, { matches: 2 }]);
    const patch = async (body: object) => {
      const answer = await call("PATCH", `/v1/policies/${office.id}`, { token, body });
      return [answer.status, answer.json<{ matches: number | null }>().matches];
    };
    expect(await patch({ name: "Renamed" })).toEqual([200, null]);
    expect(await patch({ rule: { field: "attributes.dept", op: "in", value: ["Maths", "Law"] } })).toEqual([200, 3]);
    expect(await patch({ rule: { field: "attributes.dept", op: "in", value: ["Maths", "Law"] } })).toEqual([200, 3]);
    const { id: groupId } = await createGroup(office.world.ctx, { name: "Lawyers" });
    await addGroupMembers(office.world.ctx, { id: groupId, externalIds: ["p-3", "p-4"] });
    expect(await patch({ groupId })).toEqual([200, 1]);
  });

  it("accepts numbers in a preview, but not as strings", async () => {
    const office = await Office.open(await world());
    for (const body of [{ limit: "5" }, { offset: "0" }])
      expect((await office.post("/preview", body)).status).toBe(400);
    expect((await office.post("/preview", { limit: 5, offset: 0 })).status).toBe(200);
  });

  it.each([
    ["999mo", { amount: 30, unit: "days" }],
    ["30d", { amount: 30, unit: "days" }],
    ["12mo", { amount: 1, unit: "years" }],
  ] as const)("is refused if it would extend %s before the end of %j", async (before, duration) => {
    const w = await world();
    const { id: templateId } = await publishedTemplate(w.ctx, { validity: { type: "duration", ...duration } });
    const body = { name: "x", templateId, rule: inMaths, renewal: { before } };
    const answer = await call("POST", "/v1/policies", { token: await w.key(), body });
    expect([answer.status, answer.json<{ errors: object[] }>().errors[0]]).toMatchObject([
      400,
      { pointer: "/renewal/before" },
    ]);
  });

  it("explains each comparison of its rule with a person's value", async () => {
    const office = await Office.open(await world(), {
      rule: { all: [inMaths, { not: { field: "attributes.left", op: "exists" } }] },
    });
    await office.people([1], "Law");
    const of = async () => (await office.get(`/explain/${await office.subject(1)}`)).json();
    expect(await of()).toMatchObject({
      meant: false,
      wanted: false,
      action: "none",
      active: true,
      comparisons: [
        { pointer: "/rule/all/0", field: "attributes.dept", op: "eq", value: "Maths", found: "Law", outcome: false },
        { pointer: "/rule/all/1/not", field: "attributes.left", found: null, outcome: false },
      ],
    });
    await call("PUT", `/v1/policies/${office.id}/exceptions/${await office.subject(1)}`, {
      token: office.token,
      body: { effect: "grant", reason: "Visiting" },
    });
    expect(await of()).toMatchObject({
      meant: false,
      wanted: true,
      action: "issue",
      exception: { reason: "Visiting" },
    });
    await office.apply();
    expect(await of()).toMatchObject({ action: "keep" });
  });

  it("names people in grace with its end, in a preview, an explanation and a person's list", async () => {
    const office = await Office.open(await world(), { graceDays: 3 });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1], "Law");
    const grace = async () => {
      const { counts, data, total } = await office.preview({ actions: ["grace"], offset: 0 });
      const explained = (await office.get(`/explain/${await office.subject(1)}`)).json<{ graceUntil: string }>();
      return { counts, data, total, explained, until: Date.parse(data[0]!.graceUntil!) };
    };
    const day = 24 * 3_600_000;
    const before = await grace();
    expect(before).toMatchObject({
      counts: { grace: 1, suspend: 0, keep: 9 },
      data: [{ externalId: "p-1", action: "grace" }],
      total: 1,
    });
    expect(Math.abs(before.until - Date.now() - 3 * day)).toBeLessThan(3_600_000);
    expect((await office.apply()).counts).toMatchObject({ grace: 1, suspend: 0, keep: 9 });
    await sql(`UPDATE policy_lapses SET since = since - interval '1 day' WHERE org_id = $1`, [office.world.orgId]);
    const after = await grace();
    expect(Math.abs(after.until - Date.now() - 2 * day)).toBeLessThan(3_600_000);
    expect(after.explained).toMatchObject({ action: "grace", meant: false, graceUntil: after.data[0]!.graceUntil });
    const held = (await office.credentials()).find(({ subjectId }) => subjectId === after.data[0]!.subjectId)!;
    expect(after.explained).toMatchObject({ credentialId: held.id });
    const list = await call("GET", `/v1/subjects/${held.subjectId}/policies`, { token: office.token });
    expect(list.json<{ data: object[] }>().data).toMatchObject([
      { policyId: office.id, name: "Members", action: "grace", graceUntil: after.data[0]!.graceUntil },
    ]);
    expect((await office.preview({ actions: ["suspend"] })).data).toEqual([]);
  });

  it("shows exceptions in a preview until they end", async () => {
    const office = await Office.open(await world());
    await office.people([1, 2]);
    await office.people([3], "Law");
    await office.apply();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const [n, body] of [
      [1, { effect: "deny", reason: "Asked for none", until }],
      [3, { effect: "grant", reason: "Visiting" }],
    ] as const)
      await call("PUT", `/v1/policies/${office.id}/exceptions/${await office.subject(n)}`, {
        token: office.token,
        body,
      });
    expect((await office.preview({ actions: ["issue", "suspend", "keep"] })).data).toMatchObject([
      { externalId: "p-1", action: "suspend", exception: { effect: "deny", reason: "Asked for none", until } },
      { externalId: "p-2", action: "keep", exception: null },
      { externalId: "p-3", action: "issue", exception: { effect: "grant", reason: "Visiting", until: null } },
    ]);
    const later = { ...office.world.ctx, now: new Date(Date.now() + 2 * 3_600_000) };
    const { data } = await previewPolicy(later, { id: office.id, actions: ["issue", "suspend", "keep"] });
    expect(data.map(({ exception }) => exception?.effect)).toEqual([undefined, undefined, "grant"]);
  });

  it("pages through the policies of a person, newest first, with each decision", async () => {
    const office = await Office.open(await world());
    const other = await office.beside({ rule: { field: "attributes.dept", op: "eq", value: "Law" }, name: "Lawyers" });
    await office.people([1]);
    await office.apply();
    await call("PUT", `/v1/policies/${other.id}/exceptions/${await office.subject(1)}`, {
      token: office.token,
      body: { effect: "deny", reason: "Asked for none" },
    });
    const path = `/v1/subjects/${await office.subject(1)}/policies`;
    const page = async (query: string) =>
      (await call("GET", `${path}?${query}`, { token: office.token })).json<{ data: object[]; nextCursor: string }>();
    const first = await page("limit=1");
    expect(first.data).toMatchObject([
      { policyId: other.id, name: "Lawyers", meant: false, action: "none", exception: { reason: "Asked for none" } },
    ]);
    expect((await page(`limit=1&cursor=${first.nextCursor}`)).data).toMatchObject([
      { policyId: office.id, meant: true, wanted: true, action: "keep", exception: null },
    ]);
    const stranger = await (await world()).key();
    expect((await call("GET", path, { token: stranger })).status).toBe(404);
  });

  it("reports what its runs did day by day, in the organisation's time zone", async () => {
    const w = await world();
    const office = await Office.open(w);
    await updateOrganisation(w.ctx, { timeZone: "Asia/Tokyo" });
    await office.people(numbers(1, 10));
    await office.apply();
    await office.people([1, 2], "Law");
    await office.apply();
    await office.people(numbers(3, 10), null);
    await office.apply();
    const { days, limit } = await policyDays(w.ctx, { id: office.id });
    expect(limit).toBe(5);
    const today = { runs: 3, issued: 10, ended: 2, halted: 1, withheld: 8, failed: 0 };
    expect([days.length, days.at(-1)]).toEqual([30, { date: dayOf(w.ctx.now, "Asia/Tokyo"), ...today }]);
    expect(days.slice(0, -1).every(({ runs }) => runs === 0)).toBe(true);
    const lastMonth = { ...w.ctx, now: new Date(w.ctx.now.getTime() + 31 * 24 * 3_600_000) };
    expect((await policyDays(lastMonth, { id: office.id })).days.every(({ runs }) => runs === 0)).toBe(true);
  });

  it("is named by its runs also when it was deleted, and only to its own organisation", async () => {
    const office = await Office.open(await world());
    const { id } = await office.apply();
    const policy = { name: "Members", policyId: office.id, connectorId: null, isDeleted: false };
    const [ofPolicy, ofRun] = [
      { ...policy, id: office.id, askedAt: null },
      { ...policy, id, askedAt: expect.any(String) },
    ];
    const { ctx } = office.world;
    const named = await actorNames(ctx, { ids: [office.id, id, newPublicId("plr")] });
    expect(named).toHaveLength(2);
    expect(named).toEqual(expect.arrayContaining([ofPolicy, ofRun]));
    await call("DELETE", `/v1/policies/${office.id}`, { token: office.token });
    expect(await actorNames(ctx, { ids: [id] })).toEqual([{ ...ofRun, isDeleted: true }]);
    const blind = { ...ctx, scopes: new Set([...ctx.scopes].filter((scope) => scope !== "policies:read")) };
    expect(await actorNames(blind, { ids: [office.id, id] })).toEqual([]);
    expect(await actorNames((await world()).ctx, { ids: [office.id, id] })).toEqual([]);
  });

  it("is not found by another organisation in any way", async () => {
    const office = await Office.open(await world());
    await office.people([1]);
    const run = await office.apply();
    const token = await (await world()).key();
    for (const path of ["", "/runs", `/runs/${run.id}`, "/exceptions"])
      expect((await call("GET", `/v1/policies/${office.id}${path}`, { token })).status).toBe(404);
    expect((await office.post("/apply", {}, token)).status).toBe(404);
  });
});
