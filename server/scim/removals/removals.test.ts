import { beforeEach, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { applyPolicy } from "@/server/policies/apply";
import { listConnectors } from "@/server/connectors/list";
import { readId } from "@/server/core/ids";
import { createPolicy } from "@/server/policies/create";
import { previewPolicy } from "@/server/policies/preview";
import { listStagedMembers } from "@/server/groups/list-staged-members";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { person } from "@/server/testing/person";
import { queueStagedNotices } from "@/server/notifications/run-notices";
import { world, type World } from "@/server/testing/world";
import { countDrift } from "../overview/count-drift";
import { Directory } from "../testing/directory";
import { listDirectoryGroups } from "../overview/list-groups";
import { listWaitingDirectories } from "./list-waiting";
import { summariseStagedRemovals } from "./summary";

let w: World;
let directory: Directory;
let people: { id: string }[];
beforeEach(async () => {
  w = await world();
  directory = await Directory.open(w, { limits: { deactivations: 2, deactivationPercent: 0 } });
  people = [];
  for (let n = 0; n < 5; n++)
    people.push(await directory.user(`p-${n}@example.org`, { externalId: `p-${n}`, displayName: `Person ${n}` }));
});
const deactivate = (n: number) => directory.patch(people[n]!.id, [{ op: "replace", path: "active", value: false }]);
const remove = (n: number) => directory.scim("DELETE", `/Users/${people[n]!.id}`);
const statuses = async () => Promise.all(people.map(async ({ id }) => (await directory.subject(id))["status"]));
const decide = (verb: "approve" | "discard", body: object = {}) =>
  directory.rest("POST", `/connectors/${directory.id}/staged/${verb}`, body);

describe("deactivations beyond the limit", () => {
  it("are answered as done, and wait for a person", async () => {
    const answers = [await deactivate(0), await remove(1), await deactivate(2), await remove(3)];
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 200, 204]);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: false });
    expect((await directory.scim("GET", `/Users/${people[3]!.id}`)).status).toBe(404);
    expect(await directory.staged()).toMatchObject([
      { subjectId: people[2]!.id, cause: "status", displayName: "Person 2" },
      { subjectId: people[3]!.id, cause: "deleted", displayName: "Person 3" },
    ]);
    expect(await listWaitingDirectories(w.ctx, {})).toMatchObject([{ connectorId: directory.id, removals: 2 }]);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active", staged: true });
    expect(await directory.subject(people[4]!.id)).toMatchObject({ staged: false });
  });

  it("are told of by e-mail without those that cannot happen any more", async () => {
    const told = async () =>
      (
        await sql<{ facts: { people: number } }>(
          `SELECT facts FROM notifications WHERE org_id = $1 AND kind = 'scim_removals_held'`,
          [w.orgId],
        )
      ).map(({ facts }) => facts.people);
    await person(w, "owner");
    for (const n of [0, 1, 2, 3, 4]) await deactivate(n);
    await directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status: "inactive" });
    expect(await directory.staged()).toHaveLength(2);
    await queueStagedNotices(new Date());
    expect(await told()).toEqual([2]);
  });

  it.each([
    ["PATCH", (status: string) => directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status })],
    ["PUT", (status: string) => directory.rest("PUT", "/subjects", { externalId: "p-2", status })],
  ])("do not return after somebody activated the person here (%s)", async (_, set) => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    await set("inactive");
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    await set("active");
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    await decide("approve");
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "inactive", "active"]);
  });

  it.each([
    ["PATCH", 1, (status: string) => directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status })],
    ["PUT", 0, (status: string) => directory.rest("PUT", "/subjects", { externalId: "p-2", status })],
  ])("of a deletion are discarded where somebody activates the person here (%s)", async (_, asked, set) => {
    const { id: group } = await directory.group("Readers", { members: people.map(({ id }) => ({ value: id })) });
    const tag = async () => (await directory.scim("GET", `/Groups/${group}`)).headers.get("etag");
    for (const n of [0, 1, 2, 3]) await remove(n);
    const before = await tag();
    await set("inactive");
    expect((await directory.staged()).map(({ subjectId }) => subjectId)).toEqual([people[2]!.id, people[3]!.id]);
    await set("active");
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: true });
    expect(await directory.members(group)).toEqual([people[2]!.id, people[4]!.id].toSorted());
    expect(await tag()).not.toBe(before);
    await decide("approve");
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "inactive", "active"]);
    // The directory repeats what a person decided against. A PUT made the API a source, which keeps the person.
    await remove(2);
    expect((await directory.staged()).map(({ subjectId }) => subjectId)).toEqual(Array(asked).fill(people[2]!.id));
    expect((await statuses())[2]).toBe("active");
  });

  it("are counted for a decision: people, causes, memberships, and credentials that policies may end", async () => {
    const { id: groupId } = await directory.group("Readers", { members: people.map(({ id }) => ({ value: id })) });
    const { id: templateId } = await publishedTemplate(w.ctx);
    const { id: policy } = await createPolicy(w.ctx, { name: "Library cards", templateId, groupId });
    await applyPolicy(w.ctx, { id: policy });
    const { id: other } = await publishedTemplate(w.ctx);
    await issueCredential(w.ctx, { templateId: other, subject: { externalId: "p-2" } });
    for (const n of [0, 1, 2]) await deactivate(n);
    await remove(3);
    const value = [2, 4].map((n) => ({ value: people[n]!.id }));
    await directory.patchGroup(groupId, [{ op: "remove", path: "members", value }]);
    const summary = (removals?: { subjectId: string; groupId: string | null }[]) =>
      summariseStagedRemovals(w.ctx, { id: directory.id, ...(removals && { removals }) });
    expect(await summary()).toEqual({ people: 3, deactivated: 1, deleted: 1, memberships: 2, credentials: 3 });
    expect(await summary([{ subjectId: people[4]!.id, groupId }])).toEqual({
      people: 1,
      deactivated: 0,
      deleted: 0,
      memberships: 1,
      credentials: 1,
    });
    await directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status: "inactive" });
    expect(await summary()).toMatchObject({ people: 3, deactivated: 0, deleted: 1, memberships: 2 });
  });

  it("are discarded all at once where two deleted users had one userName: the last one is shown", async () => {
    for (const n of [0, 1]) await deactivate(n);
    await remove(2);
    const again = await directory.user("p-2@example.org", { externalId: "p-2-again" });
    await directory.scim("DELETE", `/Users/${again.id}`);
    expect(await directory.staged()).toHaveLength(2);
    expect((await decide("discard")).status).toBe(200);
    expect((await directory.scim("GET", `/Users/${again.id}`)).json()).toMatchObject({ active: true });
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).status).toBe(404);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active" });
  });

  it.each(["approve", "discard"] as const)("are decided on one by one (%s), also two of one person", async (verb) => {
    const { id: groupId } = await directory.group("Watched", { members: people.map(({ id }) => ({ value: id })) });
    const { id: templateId } = await publishedTemplate(w.ctx);
    await createPolicy(w.ctx, { name: "Watches", templateId, groupId });
    for (const n of [0, 1, 2]) await deactivate(n);
    const subjectId = people[2]!.id;
    await directory.patchGroup(groupId, [{ op: "remove", path: "members", value: [{ value: subjectId }] }]);
    expect(await directory.staged()).toHaveLength(2);
    const decided = await decide(verb, { removals: [{ subjectId, groupId }] });
    expect([decided.status, decided.json()]).toMatchObject([
      200,
      { deactivated: 0, membershipsRemoved: verb === "approve" ? 1 : 0, remaining: 1 },
    ]);
    expect(await directory.subject(subjectId)).toMatchObject({ status: "active" });
    expect(await directory.staged()).toMatchObject([{ subjectId, cause: "status" }]);
  });

  it("leave an audit entry with the directory as its actor", async () => {
    for (const n of [0, 1]) await deactivate(n);
    expect(await auditOf(w.orgId)).not.toContain("connector.removals_staged");
    await deactivate(2);
    expect((await auditOf(w.orgId)).filter((action) => action === "connector.removals_staged")).toHaveLength(1);
  });

  it("are done when a person approves, all or of single people", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    const one = await decide("approve", { ids: [people[3]!.id] });
    expect([one.status, one.json()]).toEqual([
      200,
      { deactivated: 1, membershipsRemoved: 0, dropped: 0, remaining: 1 },
    ]);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "inactive", "active"]);
    await decide("approve");
    expect(await statuses()).toEqual(["inactive", "inactive", "inactive", "inactive", "active"]);
    expect((await auditOf(w.orgId)).slice(-2)).toEqual(["connector.staged_approved", "connector.staged_approved"]);
  });

  it("are dropped when a person discards them, and SCIM shows what is applied", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await remove(3);
    expect((await decide("discard")).json()).toMatchObject({ dropped: 2, remaining: 0 });
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: true });
    expect((await directory.scim("GET", `/Users/${people[3]!.id}`)).status).toBe(200);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
  });

  it("are neither approved nor discarded where others have come since they were listed", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    const total = (await directory.staged()).length;
    await deactivate(4);
    for (const verb of ["approve", "discard"] as const) {
      const refused = await decide(verb, { expectedCount: total });
      expect([refused.status, refused.json()]).toMatchObject([409, { code: "count_mismatch", count: total + 1 }]);
    }
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
    expect((await decide("approve", { expectedCount: total + 1 })).json()).toMatchObject({ deactivated: 3 });
  });

  it("are taken back by the directory itself", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await directory.patch(people[2]!.id, [{ op: "replace", path: "active", value: true }]);
    expect(await directory.staged()).toEqual([]);
  });

  it("count each other when they come at once", async () => {
    await Promise.all([0, 1, 2, 3, 4].map(deactivate));
    expect((await statuses()).filter((status) => status === "inactive")).toHaveLength(2);
    expect(await directory.staged()).toHaveLength(3);
  });

  it("are kept while the directory changes something else", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await directory.patch(people[2]!.id, [{ op: "replace", path: "title", value: "Dean" }]);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id }]);
  });

  it("are dropped where only another source has the person any more", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    const other = await Directory.open(w);
    for (const n of [2, 3]) await other.user(`p-${n}@example.org`, { externalId: `p-${n}` });
    await remove(2);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    expect((await decide("approve")).json()).toMatchObject({ deactivated: 0, dropped: 1 });
    expect((await statuses()).slice(2)).toEqual(["active", "active", "active"]);
    expect((await other.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: true });
  });

  it("are decided on while the directory takes them back, and neither waits for the other", async () => {
    const more = await Promise.all(
      [5, 6, 7, 8, 9, 10].map((n) => directory.user(`p-${n}@example.org`, { externalId: `p-${n}` })),
    );
    people.push(...more);
    for (let round = 0; round < 4; round++) {
      await Promise.all(people.map((_, n) => deactivate(n)));
      const answers = await Promise.all([
        ...people.map(({ id }) => directory.patch(id, [{ op: "replace", path: "active", value: true }])),
        decide(round % 2 === 0 ? "discard" : "approve"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  });

  it("are dropped with their connection", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    expect((await directory.rest("DELETE", `/connectors/${directory.id}`)).status).toBe(204);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active", staged: false });
    const [entry] = await sql<{ detail: object }>(
      `SELECT detail FROM audit_entries WHERE org_id = $1 AND action = 'connector.deleted' ORDER BY id DESC LIMIT 1`,
      [w.orgId],
    );
    expect(entry!.detail).toMatchObject({ removalsDropped: 1 });
  });

  it("write everything else of the request", async () => {
    await deactivate(0);
    await deactivate(1);
    await directory.patch(people[2]!.id, [{ op: "replace", value: { active: false, displayName: "Renamed" } }]);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active", displayName: "Renamed" });
  });

  it("do not come of one person who is switched off and on again and again", async () => {
    for (let round = 0; round < 4; round++) {
      await deactivate(0);
      await directory.patch(people[0]!.id, [{ op: "replace", path: "active", value: true }]);
    }
    await deactivate(0);
    await deactivate(1);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
    await deactivate(2);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id }]);
    // Whoever is active again, by whatever source, makes room.
    await directory.rest("PATCH", `/subjects/${people[1]!.id}`, { status: "active" });
    await deactivate(3);
    expect(await statuses()).toEqual(["inactive", "active", "active", "inactive", "active"]);
  });

  it("wait again when the directory repeats what a person discarded", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await decide("discard");
    // Within the limit by now.
    await directory.patch(people[0]!.id, [{ op: "replace", path: "active", value: true }]);
    await deactivate(2);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id }]);
    await deactivate(3);
    expect(await statuses()).toEqual(["active", "inactive", "active", "inactive", "active"]);
  });

  it("are listed no more once the person was deactivated here", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    await directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status: "inactive" });
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    expect(await listWaitingDirectories(w.ctx, {})).toMatchObject([{ removals: 1 }]);
    expect((await decide("approve", { expectedCount: 1 })).json()).toMatchObject({ deactivated: 1, remaining: 0 });
  });

  it("are told of every directory on a page of the list of connectors, also beyond the 20 that an alert names", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    await sql(
      `WITH made AS (
         INSERT INTO connectors SELECT (json_populate_record(c, json_build_object('id', uuidv7(), 'name', 'Directory ' || n, 'is_default', false))).*
         FROM connectors c, generate_series(1, 22) n WHERE c.org_id = $1 AND c.id = $2 RETURNING id
       ) INSERT INTO scim_removals (org_id, connector_id, subject_id, cause, state, staged_at)
       SELECT $1, made.id, r.subject_id, r.cause, r.state, r.staged_at FROM made, scim_removals r WHERE r.org_id = $1 AND r.state = 'staged'`,
      [w.orgId, readId("con", directory.id)],
    );
    const { data } = await listConnectors(w.ctx, { limit: 100 });
    const ids = data.map(({ id }) => id);
    expect(ids).toHaveLength(23);
    expect((await listWaitingDirectories(w.ctx, {})).length).toBe(20);
    const told = await listWaitingDirectories(w.ctx, { connectorIds: ids });
    expect(told.map(({ connectorId }) => connectorId).toSorted()).toEqual(ids.toSorted());
    expect(await listWaitingDirectories(w.ctx, { connectorIds: [directory.id] })).toMatchObject([{ removals: 2 }]);
    expect(await listWaitingDirectories((await world()).ctx, { connectorIds: ids })).toEqual([]);
  });

  it("are decided with connectors:approve alone", async () => {
    const key = await w.key("connectors:write", "connectors:run");
    const answer = await call("POST", `/v1/connectors/${directory.id}/staged/approve`, { token: key, body: {} });
    expect(answer.status).toBe(403);
  });
});

describe("memberships beyond the limit, in a group that a policy uses", () => {
  let group: string;
  const ids = (...some: number[]) => some.map((n) => people[n]!.id).toSorted();
  const values = (...some: number[]) => some.map((n) => ({ value: people[n]!.id }));
  const policyOn = async (groupId: string) => {
    const { id: templateId } = await publishedTemplate(w.ctx);
    await createPolicy(w.ctx, { name: "Library cards", templateId, groupId });
  };
  const take = (...some: number[]) =>
    directory.patchGroup(group, [{ op: "Remove", path: "members", value: values(...some) }]);
  beforeEach(async () => {
    ({ id: group } = await directory.group("Readers", { externalId: "readers", members: values(0, 1, 2, 3, 4) }));
    await policyOn(group);
  });

  it("are answered as done, and wait for a person with the name of the group", async () => {
    expect((await take(0, 1)).status).toBe(204);
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
    expect((await take(2)).status).toBe(204);
    expect(await directory.members(group)).toEqual(ids(3, 4));
    expect((await directory.find(`groups.value eq "${group}"`)).totalResults).toBe(2);
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
    expect(await directory.staged()).toMatchObject([
      { subjectId: people[2]!.id, cause: "member", displayName: "Person 2", groupName: "Readers" },
    ]);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active", staged: true });
    const { data } = (await directory.rest("GET", `/groups/${group}/members`)).json<{
      data: { subjectId: string; staged: boolean }[];
    }>();
    expect(data.filter(({ staged }) => staged).map(({ subjectId }) => subjectId)).toEqual(ids(2));
    expect(await listStagedMembers(w.ctx, { id: group, subjectIds: ids(0, 2, 3) })).toEqual({
      total: 1,
      subjectIds: ids(2),
    });
    expect(await listStagedMembers(w.ctx, { id: group, subjectIds: ids(3) })).toEqual({ total: 1, subjectIds: [] });
    expect(await countDrift(w.ctx, { id: directory.id })).toMatchObject({ staged: 0, memberships: 1 });
    const found = async (q: string) =>
      (await directory.rest("GET", `/connectors/${directory.id}/staged?q=${encodeURIComponent(q)}`)).json<{
        data: { subjectId: string }[];
      }>().data;
    expect([(await found("PERSON 2")).map(({ subjectId }) => subjectId), await found("person 3")]).toEqual([
      ids(2),
      [],
    ]);
  });

  it.each([
    ["Okta pushes nobody", (id: string) => directory.patchGroup(id, [{ op: "replace", path: "members", value: [] }])],
    [
      "Entra sends a remove without a value",
      (id: string) => directory.patchGroup(id, [{ op: "Remove", path: "members" }]),
    ],
    [
      "Okta puts the group without members",
      (id: string) => directory.scim("PUT", `/Groups/${id}`, { displayName: "Readers" }),
    ],
  ])("wait where %s, and SCIM shows the empty group", async (_, empty) => {
    expect((await empty(group)).status).toBeLessThan(300);
    expect(await directory.members(group)).toEqual([]);
    expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
    expect((await directory.staged()).map(({ cause }) => cause)).toEqual(Array(5).fill("member"));
  });

  it("count together with deactivations, and those of other groups do not count", async () => {
    const other = await directory.group("Choir", { members: values(0, 1, 2, 3, 4) });
    await directory.patchGroup(other.id, [{ op: "remove", path: "members" }]);
    expect(await directory.applied(other.id)).toEqual([]);
    await deactivate(0);
    await take(1);
    await take(2);
    expect(await directory.applied(group)).toEqual(ids(0, 2, 3, 4));
    // Whoever is inactive has nothing to lose by a policy.
    await take(0);
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
  });

  it("wait also where a rule group between them and the policy names the group", async () => {
    const { id: through } = await directory.group("Through a rule", { members: values(0, 1, 2) });
    const rule = { field: "groups", op: "in", value: [through] };
    const made = await directory.rest("POST", "/groups", { name: "Rule", rule });
    await policyOn(made.json<{ id: string }>().id);
    await directory.patchGroup(through, [{ op: "remove", path: "members" }]);
    expect(await directory.applied(through)).toEqual(ids(0, 1, 2));
    expect(await directory.members(through)).toEqual([]);
  });

  it("are taken back when the directory adds them again, and SCIM shows what it wrote throughout", async () => {
    await directory.scim("PUT", `/Groups/${group}`, { displayName: "Readers", externalId: "readers" });
    expect(await directory.members(group)).toEqual([]);
    expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
    await directory.patchGroup(group, [{ op: "add", path: "members", value: values(1, 2) }]);
    expect(await directory.members(group)).toEqual(ids(1, 2));
    expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(0, 3, 4));
  });

  it("are not seen by policies until a person approves", async () => {
    const { id: templateId } = await publishedTemplate(w.ctx);
    const { id } = await createPolicy(w.ctx, { name: "Of the applied members", templateId, groupId: group });
    const meant = async () => (await previewPolicy(w.ctx, { id })).counts.issue;
    await take(0, 1, 2, 3);
    expect(await directory.members(group)).toEqual(ids(4));
    expect(await meant()).toBe(5);
    await decide("approve");
    expect(await meant()).toBe(1);
  });

  it("are done when a person approves, all or of single people", async () => {
    await take(0, 1, 2, 3);
    const before = (await eventsOf(w.orgId)).length;
    const one = await decide("approve", { ids: [people[1]!.id] });
    expect(one.json()).toEqual({ deactivated: 0, membershipsRemoved: 1, dropped: 0, remaining: 3 });
    expect(await directory.applied(group)).toEqual(ids(0, 2, 3, 4));
    expect((await decide("approve")).json()).toMatchObject({ membershipsRemoved: 3, remaining: 0 });
    expect(await directory.applied(group)).toEqual(ids(4));
    expect((await eventsOf(w.orgId)).slice(before).map(({ type }) => type)).toEqual([
      "group.members_removed",
      "group.members_removed",
    ]);
    // What a person approved does not count.
    await take(4);
    expect(await directory.applied(group)).toEqual([]);
  });

  it("are shown again when a person discards them", async () => {
    await take(0, 1, 2, 3);
    const tag = async () => (await directory.scim("GET", `/Groups/${group}`)).headers.get("etag");
    const before = await tag();
    expect((await decide("discard")).json()).toEqual({
      deactivated: 0,
      membershipsRemoved: 0,
      dropped: 4,
      remaining: 0,
    });
    expect(await directory.members(group)).toEqual(ids(0, 1, 2, 3, 4));
    expect(await tag()).not.toBe(before);
  });

  it("wait when the group is deleted, which stays for its policy and is restored by a POST", async () => {
    expect((await directory.scim("DELETE", `/Groups/${group}`)).status).toBe(204);
    expect((await directory.scim("GET", `/Groups/${group}`)).status).toBe(404);
    expect((await directory.rest("GET", `/groups/${group}`)).json()).toMatchObject({
      memberCount: 5,
      providedBy: null,
    });
    expect(await directory.staged()).toHaveLength(5);
    const again = await directory.group("Readers", { externalId: "readers", members: values(0, 1) });
    expect(again.id).toBe(group);
    expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(2, 3, 4));
    await decide("approve");
    expect(await directory.applied(group)).toEqual(ids(0, 1));
  });

  it.each([
    ["a PUT without members", () => directory.scim("PUT", `/Groups/${group}`, { displayName: "Readers", members: [] })],
    ["a DELETE of the group", () => directory.scim("DELETE", `/Groups/${group}`)],
    ["a PATCH that removes all", () => directory.patchGroup(group, [{ op: "remove", path: "members" }])],
  ])("wait with those of inactive members of the request, so that a discard leaves them all: %s", async (_, send) => {
    for (const n of [0, 1]) await deactivate(n);
    await send();
    expect([(await directory.staged()).length, await directory.applied(group)]).toEqual([5, ids(0, 1, 2, 3, 4)]);
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(0, 1, 2, 3, 4));
    // The directory repeats what it was refused.
    await send();
    expect([(await directory.staged()).length, await directory.applied(group)]).toEqual([5, ids(0, 1, 2, 3, 4)]);
    await decide("approve");
    expect(await directory.applied(group)).toEqual([]);
  });

  describe("in a request that names unknown members too", () => {
    const emptied = [
      ["a PUT without members", () => directory.scim("PUT", `/Groups/${group}`, { displayName: "Readers" })],
      ["a DELETE of the group", () => directory.scim("DELETE", `/Groups/${group}`)],
      ["a PATCH that removes all", () => directory.patchGroup(group, [{ op: "remove", path: "members" }])],
      [
        "a PATCH that removes those that it names",
        () =>
          directory.patchGroup(group, [
            { op: "remove", path: "members", value: [...values(0, 1, 2, 3, 4), { value: "soon" }, { value: "later" }] },
          ]),
      ],
    ] as const;
    beforeEach(() =>
      directory.patchGroup(group, [{ op: "add", path: "members", value: [{ value: "soon" }, { value: "later" }] }]),
    );
    const awaited = async () => (await listDirectoryGroups(w.ctx, { id: directory.id })).data[0]!.awaited;

    it.each(emptied)("bring these back with a discard, and who has come meanwhile joins: %s", async (_, send) => {
      await send();
      expect(await awaited()).toBe(0);
      const { id: soon } = await directory.user("soon@example.org", { externalId: "soon" });
      expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
      await decide("discard");
      expect(await directory.members(group)).toEqual([...ids(0, 1, 2, 3, 4), soon, "later"].toSorted());
      expect(await directory.applied(group)).toEqual([...ids(0, 1, 2, 3, 4), soon].toSorted());
      const { id: later } = await directory.user("later@example.org", { externalId: "later" });
      expect(await directory.applied(group)).toContain(later);
    });

    it("forget these with an approval, and where the directory takes its removal back", async () => {
      const rows = () => sql(`SELECT value FROM scim_pending_members WHERE org_id = $1`, [w.orgId]);
      await emptied[0][1]();
      await decide("approve", { ids: ids(0, 1, 2, 3) });
      expect(await rows()).toHaveLength(2);
      await decide("approve");
      expect(await rows()).toEqual([]);
      const later = [{ op: "add", path: "members", value: [...values(0, 1, 2, 3), { value: "later" }] }];
      await directory.patchGroup(group, later);
      await emptied[2][1]();
      expect([await directory.members(group), (await rows()).length]).toEqual([[], 1]);
      await directory.patchGroup(group, [{ op: "add", path: "members", value: values(0, 1, 2, 3) }]);
      expect([await directory.members(group), await rows()]).toEqual([ids(0, 1, 2, 3), []]);
      await directory.patchGroup(group, later);
      await emptied[2][1]();
      await directory.patchGroup(group, later);
      expect(await directory.members(group)).toEqual([...ids(0, 1, 2, 3), "later"].toSorted());
    });

    it("leave these to a request of their own that follows, which a discard takes back too", async () => {
      await take(0, 1, 2, 3, 4);
      await directory.patchGroup(group, [{ op: "remove", path: "members", value: [{ value: "later" }] }]);
      expect(await directory.members(group)).toEqual(["soon"]);
      await decide("discard");
      expect(await directory.members(group)).toEqual([...ids(0, 1, 2, 3, 4), "later", "soon"].toSorted());
    });
  });

  it("show one of two deleted groups of one name again when a person discards the removals from both", async () => {
    await directory.scim("DELETE", `/Groups/${group}`);
    const second = await directory.group("Readers", { externalId: "other", members: values(0, 1, 2, 3, 4) });
    await policyOn(second.id);
    await directory.scim("PATCH", `/Groups/${second.id}`, {
      Operations: [{ op: "replace", path: "externalId", value: "readers" }],
    });
    await directory.scim("DELETE", `/Groups/${second.id}`);
    expect((await decide("discard")).status).toBe(200);
    expect((await directory.scim("GET", `/Groups/${group}`)).status).toBe(404);
    expect(await directory.members(second.id)).toEqual(ids(0, 1, 2, 3, 4));
    expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
  });

  it("show the deleted group again when a person discards its removals", async () => {
    await directory.scim("DELETE", `/Groups/${group}`);
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(0, 1, 2, 3, 4));
    expect((await directory.rest("GET", `/groups/${group}`)).json()).toMatchObject({
      providedBy: { connectorId: directory.id },
    });
  });

  it("end with the person whose deletion is approved, and stay with one whose deletion is discarded", async () => {
    for (const n of [0, 1, 2, 3]) await remove(n);
    expect(await directory.members(group)).toEqual(ids(4));
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
    await decide("approve", { ids: ids(2) });
    await decide("discard");
    expect(await directory.applied(group)).toEqual(ids(3, 4));
    expect(await directory.members(group)).toEqual(ids(3, 4));
  });

  it("give the group another ETag when a person discards the deletion of a member, who is shown again", async () => {
    for (const n of [0, 1, 2]) await remove(n);
    const tag = async () => (await directory.scim("GET", `/Groups/${group}`)).headers.get("etag");
    const before = await tag();
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(2, 3, 4));
    expect(await tag()).not.toBe(before);
  });

  it("wait for somebody who is deleted here and stays active for another source", async () => {
    for (const n of [0, 1, 2]) await directory.rest("PUT", "/subjects", { externalId: `p-${n}`, displayName: "Both" });
    for (const n of [0, 1, 2]) await remove(n);
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id, cause: "member" }]);
    expect(await statuses()).toEqual(Array(5).fill("active"));
    await decide("approve");
    expect(await directory.applied(group)).toEqual(ids(3, 4));
  });

  describe("that a person discarded for people whom another source keeps active", () => {
    beforeEach(async () => {
      for (const n of [0, 1, 2, 3])
        await directory.rest("PUT", "/subjects", { externalId: `p-${n}`, displayName: "Both" });
      for (const n of [0, 1, 2, 3]) await remove(n);
      expect((await decide("discard")).json()).toMatchObject({ dropped: 2 });
    });

    it("are shown in the group again", async () => {
      expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
      expect(await directory.members(group)).toEqual(ids(2, 3, 4));
      // A directory that writes what it was told removes nobody.
      const { members } = (await directory.scim("GET", `/Groups/${group}`)).json();
      await directory.scim("PUT", `/Groups/${group}`, { displayName: "Readers", externalId: "readers", members });
      expect([await directory.applied(group), await directory.staged()]).toEqual([ids(2, 3, 4), []]);
    });

    it.each<[string, () => Promise<{ status: number }>]>([
      [
        "PUT without them",
        () => directory.scim("PUT", `/Groups/${group}`, { displayName: "Readers", members: values(4) }),
      ],
      ["PATCH with their ids", () => take(2, 3)],
      [
        "PATCH with a filter",
        () =>
          directory.patchGroup(
            group,
            [2, 3].map((n) => ({ op: "remove", path: `members[value eq "${people[n]!.id}"]` })),
          ),
      ],
    ])("are removed again by a %s, once a person approves", async (_, again) => {
      expect((await again()).status).toBeLessThan(300);
      expect(await directory.members(group)).toEqual(ids(4));
      expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(2, 3));
      expect((await decide("approve")).json()).toMatchObject({ membershipsRemoved: 2 });
      expect(await directory.applied(group)).toEqual(ids(4));
    });
  });

  it("can be removed of somebody whose deletion was discarded after another user took the userName", async () => {
    for (const n of [0, 1, 2]) await remove(n);
    await directory.user("p-2@example.org", { externalId: "another" });
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(2, 3, 4));
    await take(2);
    await decide("approve");
    expect(await directory.applied(group)).toEqual(ids(3, 4));
  });

  it("wait again when the directory repeats those that a person discarded", async () => {
    await take(0, 1, 2, 3);
    await decide("discard", { ids: ids(0, 1) });
    await take(0, 1, 2, 3);
    expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
    expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(0, 1, 2, 3));
    expect(await directory.members(group)).toEqual(ids(4));
  });

  it("do not end a membership that began after the directory asked", async () => {
    await directory.scim("DELETE", `/Groups/${group}`);
    await directory.rest("POST", `/groups/${group}/members/remove`, { subjectIds: ids(0, 1, 2) });
    await directory.rest("POST", `/groups/${group}/members`, { subjectIds: ids(0) });
    expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(3, 4));
    expect(await directory.subject(people[0]!.id)).toMatchObject({ staged: false });
    expect((await decide("approve", { expectedCount: 2 })).json()).toMatchObject({
      membershipsRemoved: 2,
      remaining: 0,
    });
    expect(await directory.applied(group)).toEqual(ids(0));
    // The group that the directory makes again has exactly the members that it sends.
    await directory.group("Readers", { externalId: "readers", members: values(1) });
    expect([await directory.applied(group), await directory.members(group)]).toEqual([ids(1), ids(1)]);
  });

  it("are listed no more once the person or the group is gone", async () => {
    await take(0, 1, 2);
    await directory.rest("PATCH", `/subjects/${people[0]!.id}`, { status: "inactive" });
    await remove(0);
    expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(1, 2));
    await directory.scim("DELETE", `/Groups/${group}`);
    await directory.rest("POST", `/groups/${group}/members/remove`, { subjectIds: ids(0, 1, 2, 3, 4) });
    expect([await directory.staged(), await listWaitingDirectories(w.ctx, {})]).toEqual([[], []]);
  });
});
