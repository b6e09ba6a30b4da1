import { beforeEach, describe, expect, it } from "vitest";
import { createPolicy } from "@/server/policies/create";
import { previewPolicy } from "@/server/policies/preview";
import { listStagedMembers } from "@/server/groups/list-staged-members";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { countDrift } from "../overview/count-drift";
import { listDirectoryGroups } from "../overview/list-groups";
import { listWaitingDirectories } from "./list-waiting";
import { deactivate, decide, directory, openLimitedDirectory, people, remove, statuses, w } from "../testing/removals";

openLimitedDirectory();

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

  it("are answered as done, and wait for approval with the name of the group", async () => {
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
  ])("wait if %s, and SCIM shows the empty group", async (_, empty) => {
    expect((await empty(group)).status).toBeLessThan(300);
    expect(await directory.members(group)).toEqual([]);
    expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
    expect((await directory.staged()).map(({ cause }) => cause)).toEqual(Array(5).fill("member"));
  });

  it("count together with deactivations, but not with those of other groups", async () => {
    const other = await directory.group("Choir", { members: values(0, 1, 2, 3, 4) });
    await directory.patchGroup(other.id, [{ op: "remove", path: "members" }]);
    expect(await directory.applied(other.id)).toEqual([]);
    await deactivate(0);
    await take(1);
    await take(2);
    expect(await directory.applied(group)).toEqual(ids(0, 2, 3, 4));
    // An inactive person loses nothing by a policy.
    await take(0);
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
  });

  it("also wait if a rule group between them and the policy names the group", async () => {
    const { id: through } = await directory.group("Through a rule", { members: values(0, 1, 2) });
    const rule = { field: "groups", op: "in", value: [through] };
    const made = await directory.rest("POST", "/groups", { name: "Rule", rule });
    await policyOn(made.json<{ id: string }>().id);
    await directory.patchGroup(through, [{ op: "remove", path: "members" }]);
    expect(await directory.applied(through)).toEqual(ids(0, 1, 2));
    expect(await directory.members(through)).toEqual([]);
  });

  it("are withdrawn when the directory adds them again, and SCIM shows what it wrote throughout", async () => {
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

  it("are applied when a person approves, all of them or those of single people", async () => {
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
    // Approved removals do not count.
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
  ])("wait with those of inactive members of the request, so that a discard keeps them all: %s", async (_, send) => {
    for (const n of [0, 1]) await deactivate(n);
    await send();
    expect([(await directory.staged()).length, await directory.applied(group)]).toEqual([5, ids(0, 1, 2, 3, 4)]);
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(0, 1, 2, 3, 4));
    // The directory repeats what was refused.
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

    it.each(emptied)(
      "restore unknown members after a discard, and those who were created meanwhile join: %s",
      async (_, send) => {
        await send();
        expect(await awaited()).toBe(0);
        const { id: soon } = await directory.user("soon@example.org", { externalId: "soon" });
        expect(await directory.applied(group)).toEqual(ids(0, 1, 2, 3, 4));
        await decide("discard");
        expect(await directory.members(group)).toEqual([...ids(0, 1, 2, 3, 4), soon, "later"].toSorted());
        expect(await directory.applied(group)).toEqual([...ids(0, 1, 2, 3, 4), soon].toSorted());
        const { id: later } = await directory.user("later@example.org", { externalId: "later" });
        expect(await directory.applied(group)).toContain(later);
      },
    );

    it("forget unknown members after an approval, and if the directory withdraws its removal", async () => {
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

    it("leave unknown members to a later request of their own, which a discard also undoes", async () => {
      await take(0, 1, 2, 3, 4);
      await directory.patchGroup(group, [{ op: "remove", path: "members", value: [{ value: "later" }] }]);
      expect(await directory.members(group)).toEqual(["soon"]);
      await decide("discard");
      expect(await directory.members(group)).toEqual([...ids(0, 1, 2, 3, 4), "later", "soon"].toSorted());
    });
  });

  it("show one of two deleted groups with the same name again when a person discards the removals from both", async () => {
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

  describe("of a deleted user whom groups name again", () => {
    let byId: string;
    let byExternalId: string;
    beforeEach(async () => {
      for (const n of [0, 1, 2]) await remove(n);
      byId = (await directory.group("By id", { members: values(2, 4) })).id;
      byExternalId = (await directory.group("By externalId", { members: [{ value: "p-2" }] })).id;
      await directory.patchGroup(group, [{ op: "add", path: "members", value: values(2) }]);
      expect(await directory.members(group)).toEqual(ids(2, 3, 4));
      expect(await directory.applied(byId)).toEqual(ids(4));
    });

    it("are in each of these groups once after a person discards the deletion", async () => {
      const before = (await eventsOf(w.orgId)).length;
      await decide("discard");
      expect(await directory.members(group)).toEqual(ids(2, 3, 4));
      expect([await directory.members(byId), await directory.applied(byId)]).toEqual([ids(2, 4), ids(2, 4)]);
      expect([await directory.members(byExternalId), await directory.applied(byExternalId)]).toEqual([ids(2), ids(2)]);
      expect((await eventsOf(w.orgId)).slice(before).map(({ type }) => type)).toEqual([
        "group.members_added",
        "group.members_added",
      ]);
    });

    it("are shown once after a person here activates the user", async () => {
      for (const status of ["inactive", "active"])
        await directory.rest("PATCH", `/subjects/${people[2]!.id}`, { status });
      expect(await directory.members(group)).toEqual(ids(2, 3, 4));
    });

    it("wait after a person approves the deletion, until the directory creates the user again", async () => {
      await decide("approve");
      expect([await directory.members(group), await directory.applied(group)]).toEqual([ids(2, 3, 4), ids(3, 4)]);
      await directory.user("p-2@example.org", { externalId: "p-2" });
      for (const each of [group, byId, byExternalId]) expect(await directory.applied(each)).toContain(people[2]!.id);
    });
  });

  it("change the group's ETag when a person discards the deletion of a member, who is shown again", async () => {
    for (const n of [0, 1, 2]) await remove(n);
    const tag = async () => (await directory.scim("GET", `/Groups/${group}`)).headers.get("etag");
    const before = await tag();
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(2, 3, 4));
    expect(await tag()).not.toBe(before);
  });

  it("wait for a person who is deleted here and stays active for another source", async () => {
    for (const n of [0, 1, 2]) await directory.rest("PUT", "/subjects", { externalId: `p-${n}`, displayName: "Both" });
    for (const n of [0, 1, 2]) await remove(n);
    expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
    expect(await directory.staged()).toMatchObject([{ subjectId: people[2]!.id, cause: "member" }]);
    expect(await statuses()).toEqual(Array(5).fill("active"));
    await decide("approve");
    expect(await directory.applied(group)).toEqual(ids(3, 4));
  });

  describe("discarded removals of people whom another source keeps active", () => {
    beforeEach(async () => {
      for (const n of [0, 1, 2, 3])
        await directory.rest("PUT", "/subjects", { externalId: `p-${n}`, displayName: "Both" });
      for (const n of [0, 1, 2, 3]) await remove(n);
      expect((await decide("discard")).json()).toMatchObject({ dropped: 2 });
    });

    it("are shown in the group again", async () => {
      expect(await directory.applied(group)).toEqual(ids(2, 3, 4));
      expect(await directory.members(group)).toEqual(ids(2, 3, 4));
      // A directory that writes back what it reads removes nobody.
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
    ])("are removed again by a %s, after an approval", async (_, again) => {
      expect((await again()).status).toBeLessThan(300);
      expect(await directory.members(group)).toEqual(ids(4));
      expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(2, 3));
      expect((await decide("approve")).json()).toMatchObject({ membershipsRemoved: 2 });
      expect(await directory.applied(group)).toEqual(ids(4));
    });
  });

  it("can be removed from a person whose deletion was discarded after another user took the userName", async () => {
    for (const n of [0, 1, 2]) await remove(n);
    await directory.user("p-2@example.org", { externalId: "another" });
    await decide("discard");
    expect(await directory.members(group)).toEqual(ids(2, 3, 4));
    await take(2);
    await decide("approve");
    expect(await directory.applied(group)).toEqual(ids(3, 4));
  });

  it("wait again when the directory repeats the discarded ones", async () => {
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
    // The group that the directory creates again has exactly the members that it sends.
    await directory.group("Readers", { externalId: "readers", members: values(1) });
    expect([await directory.applied(group), await directory.members(group)]).toEqual([ids(1), ids(1)]);
  });

  it("are no longer listed after the person or the group is gone", async () => {
    await take(0, 1, 2);
    await directory.rest("PATCH", `/subjects/${people[0]!.id}`, { status: "inactive" });
    await remove(0);
    expect((await directory.staged()).map(({ subjectId }) => subjectId).toSorted()).toEqual(ids(1, 2));
    await directory.scim("DELETE", `/Groups/${group}`);
    await directory.rest("POST", `/groups/${group}/members/remove`, { subjectIds: ids(0, 1, 2, 3, 4) });
    expect([await directory.staged(), await listWaitingDirectories(w.ctx, {})]).toEqual([[], []]);
  });
});
