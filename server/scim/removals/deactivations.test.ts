import { describe, expect, it } from "vitest";
import { listConnectors } from "@/server/connectors/list";
import { readId } from "@/server/core/ids";
import { world } from "@/server/testing/world";
import { issueCredential } from "@/server/credentials/issue";
import { applyPolicy } from "@/server/policies/apply";
import { createPolicy } from "@/server/policies/create";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { person } from "@/server/testing/person";
import { queueStagedNotices } from "@/server/notifications/run-notices";
import { Directory } from "../testing/directory";
import { listWaitingDirectories } from "./list-waiting";
import { summariseStagedRemovals } from "./summary";
import { deactivate, decide, directory, openLimitedDirectory, people, remove, statuses, w } from "../testing/removals";

openLimitedDirectory();

describe("deactivations beyond the limit", () => {
  it("are answered as done, and wait for approval", async () => {
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

  it("are reported by e-mail without those that can no longer happen", async () => {
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
  ])("of a deletion are discarded if somebody activates the person here (%s)", async (_, asked, set) => {
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
    // The directory repeats what a person refused. A PUT made the API a source, which keeps the person active.
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

  it("are discarded together if two deleted users had the same userName: the last one is shown", async () => {
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

  it.each(["approve", "discard"] as const)("are decided one by one (%s), also two of one person", async (verb) => {
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

  it("are applied when a person approves, all of them or those of single people", async () => {
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

  it("are dropped when a person discards them, and SCIM shows the present state", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await remove(3);
    expect((await decide("discard")).json()).toMatchObject({ dropped: 2, remaining: 0 });
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: true });
    expect((await directory.scim("GET", `/Users/${people[3]!.id}`)).status).toBe(200);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
  });

  it("are neither approved nor discarded if others were added since they were listed", async () => {
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

  it("can be withdrawn by the directory itself", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await directory.patch(people[2]!.id, [{ op: "replace", path: "active", value: true }]);
    expect(await directory.staged()).toEqual([]);
  });

  it("count each other in concurrent requests", async () => {
    await Promise.all([0, 1, 2, 3, 4].map(deactivate));
    expect((await statuses()).filter((status) => status === "inactive")).toHaveLength(2);
    expect(await directory.staged()).toHaveLength(3);
  });

  it("are kept while the directory changes something else", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await directory.patch(people[2]!.id, [{ op: "replace", path: "title", value: "Dean" }]);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id }]);
  });

  it("are dropped if only another source still provides the person", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    const other = await Directory.open(w);
    for (const n of [2, 3]) await other.user(`p-${n}@example.org`, { externalId: `p-${n}` });
    await remove(2);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    expect((await decide("approve")).json()).toMatchObject({ deactivated: 0, dropped: 1 });
    expect((await statuses()).slice(2)).toEqual(["active", "active", "active"]);
    expect((await other.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: true });
  });

  it("can be decided while the directory withdraws them, without a deadlock", async () => {
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

  it("are not caused by one person who is deactivated and activated again and again", async () => {
    for (let round = 0; round < 4; round++) {
      await deactivate(0);
      await directory.patch(people[0]!.id, [{ op: "replace", path: "active", value: true }]);
    }
    await deactivate(0);
    await deactivate(1);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
    await deactivate(2);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id }]);
    // A person who is active again, by whatever source, makes room.
    await directory.rest("PATCH", `/subjects/${people[1]!.id}`, { status: "active" });
    await deactivate(3);
    expect(await statuses()).toEqual(["inactive", "active", "active", "inactive", "active"]);
  });

  it("wait again when the directory repeats what a person discarded", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await decide("discard");
    // It is within the limit by now.
    await directory.patch(people[0]!.id, [{ op: "replace", path: "active", value: true }]);
    await deactivate(2);
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id }]);
    await deactivate(3);
    expect(await statuses()).toEqual(["active", "inactive", "active", "inactive", "active"]);
  });

  it("are no longer listed after the person was deactivated here", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    await directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status: "inactive" });
    expect(await directory.staged()).toMatchObject([{ subjectId: people[3]!.id }]);
    expect(await listWaitingDirectories(w.ctx, {})).toMatchObject([{ removals: 1 }]);
    expect((await decide("approve", { expectedCount: 1 })).json()).toMatchObject({ deactivated: 1, remaining: 0 });
  });

  it("are returned for every directory on a page of the list of connectors, even beyond the 20 of an alert", async () => {
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

  it("can be decided with only connectors:approve", async () => {
    const key = await w.key("connectors:write", "connectors:run");
    const answer = await call("POST", `/v1/connectors/${directory.id}/staged/approve`, { token: key, body: {} });
    expect(answer.status).toBe(403);
  });
});
