import { describe, expect, it } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { readId } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { mostAwaited } from "./awaited";
import { Directory } from "../testing/directory";
import { directory, errorOf, w } from "../testing/opened";
import { eventCount, find, openDirectoryOfFour, people, provide, typesSince, values } from "../testing/groups";

openDirectoryOfFour();

describe("the members of a group", () => {
  it("are shown at each user with the group's name", async () => {
    const { id } = await directory.user("grouped@example.org");
    const group = await directory.group("Shown at users", { members: values([id]) });
    const groups = [
      {
        value: group.id,
        $ref: expect.stringMatching(new RegExp(`/scim/v2/Groups/${group.id}$`)),
        display: "Shown at users",
        type: "direct",
      },
    ];
    expect((await directory.scim("GET", `/Users/${id}`)).json()).toMatchObject({ groups });
    expect((await directory.find('userName eq "grouped@example.org"')).Resources[0]).toMatchObject({ groups });
    expect((await directory.find(`groups.value eq "${group.id}"`)).Resources.map((each) => each.id)).toEqual([id]);
    const without = await directory.scim("GET", `/Users/${id}?excludedAttributes=groups`);
    expect(without.json()).not.toHaveProperty("groups");
    // Read-only: a PUT that names groups changes none.
    await directory.scim("PUT", `/Users/${id}`, { userName: "grouped@example.org", groups: [] });
    expect(await directory.members(group.id)).toEqual([id]);
    await directory.patchGroup(group.id, [{ op: "remove", path: "members" }]);
    expect((await directory.scim("GET", `/Users/${id}`)).json()).not.toHaveProperty("groups");
  });

  it("wait while they are unknown, and join when they are created", async () => {
    const group = await directory.group("Awaited", { members: values(["late", people[0]!]) });
    expect(await directory.members(group.id)).toEqual(["late", people[0]!].toSorted());
    expect(await find(`id eq "${group.id}" and members eq "late"`)).toEqual([group.id]);
    const before = await eventCount();
    const { id } = await directory.user("late@example.org", { externalId: "late" });
    expect(await directory.members(group.id)).toEqual([people[0]!, id].toSorted());
    expect(await typesSince(before)).toEqual(["subject.created", "group.members_added"]);
    expect(await directory.applied(group.id)).toEqual([people[0]!, id].toSorted());
  });

  it.each<[string, (id: string, externalId: string) => Promise<{ status: number }>]>([
    ["PATCH", (id, externalId) => directory.patch(id, [{ op: "replace", path: "externalId", value: externalId }])],
    ["PUT", (id, externalId) => directory.scim("PUT", `/Users/${id}`, { userName: id, externalId })],
  ])("join when a %s gives a user the externalId under which they wait", async (method, change) => {
    const { id } = await directory.user(`tmp-${method}@example.org`, { externalId: `tmp-${method}` });
    const group = await directory.group(`Awaits ${method}`, { members: values([`later-${method}`]) });
    expect((await change(id, `later-${method}`)).status).toBe(200);
    expect(await directory.members(group.id)).toEqual([id]);
    expect(await directory.applied(group.id)).toEqual([id]);
    expect((await directory.scim("GET", `/Users/${id}`)).json()).toMatchObject({ groups: [{ value: group.id }] });
  });

  it("join when a deleted user is restored, and are not shown meanwhile", async () => {
    const { id } = await directory.user("back@example.org", { externalId: "back" });
    const group = await directory.group("Restored", { members: values([id]) });
    await directory.scim("DELETE", `/Users/${id}`);
    expect(await directory.members(group.id)).toEqual([]);
    expect(await directory.applied(group.id)).toEqual([]);
    await directory.patchGroup(group.id, [{ op: "add", path: "members", value: [{ value: id }] }]);
    expect(await directory.applied(group.id)).toEqual([]);
    await directory.user("back@example.org", { externalId: "back" });
    expect(await directory.applied(group.id)).toEqual([id]);
  });

  it("no longer wait after the directory removes them", async () => {
    const group = await directory.group("Given up", { members: values(["nobody-1", "nobody-2"]) });
    await directory.patchGroup(group.id, [{ op: "remove", path: 'members[value eq "nobody-1"]' }]);
    expect(await directory.members(group.id)).toEqual(["nobody-2"]);
    await directory.scim("PUT", `/Groups/${group.id}`, { displayName: "Given up" });
    expect(await directory.members(group.id)).toEqual([]);
  });

  it("who belong to other sources wait until this directory provides them", async () => {
    const { id } = (await directory.rest("PUT", "/subjects", { externalId: "by-api" })).json<{ id: string }>();
    const group = await directory.group("Others", { members: values([id]) });
    expect(await directory.applied(group.id)).toEqual([]);
    const user = await directory.user("by-api@example.org", { externalId: "by-api" });
    expect(user.id).toBe(id);
    expect(await directory.applied(group.id)).toEqual([id]);
  });

  it("are all kept when 500 concurrent requests change one group", async () => {
    const hall = await Directory.open(await world());
    await provide(hall, 500);
    const [leaving, staying] = await Promise.all([hall.userIds(1), hall.userIds(251)]);
    const { id } = await hall.group("Concurrent", { members: values(leaving) });
    // A provider repeats a request after a 429: an organisation has few connections to the database at once.
    const patch = async (operation: object): Promise<Awaited<ReturnType<typeof call>>> => {
      const answer = await hall.patchGroup(id, [operation]);
      return answer.status === 429 ? patch(operation) : answer;
    };
    const answers = await Promise.all([
      ...leaving.map((value) => patch({ op: "remove", path: `members[value eq "${value}"]` })),
      ...staying.map((value) => patch({ op: "add", path: "members", value: [{ value }] })),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await hall.members(id)).toEqual(staying.toSorted());
    expect(
      answers.map(({ headers }) => Number(/\d+/.exec(headers.get("etag")!)![0])).toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 500 }, (_, n) => n + 2));
  });

  it("join even if the user is created while the request that names them runs", async () => {
    const rounds = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const { id: group } = await directory.group(`Race ${n}`);
        const [{ id }] = await Promise.all([
          directory.user(`race-${n}@example.org`, { externalId: `race-${n}` }),
          directory.patchGroup(group, [{ op: "add", path: "members", value: [{ value: `race-${n}` }] }]),
        ]);
        return { id, group };
      }),
    );
    for (const { id, group } of rounds) expect(await directory.applied(group)).toEqual([id]);
  });

  it("can be unknown for at most 10,000 in a group; more are refused as a whole", async () => {
    const { id } = await directory.group("Nobody here");
    await sql(
      `INSERT INTO scim_pending_members (org_id, group_id, connector_id, value, created_at)
       SELECT org_id, group_id, connector_id, 'nobody-' || n, now() FROM scim_groups, generate_series(1, 9999) AS n WHERE org_id = $1 AND group_id = $2`,
      [w.orgId, readId("grp", id)],
    );
    const add = (...some: string[]) =>
      directory.patchGroup(id, [
        { op: "replace", path: "displayName", value: `With ${some.at(-1)}` },
        { op: "add", path: "members", value: values(some) },
      ]);
    const refused = await add("unknown-1", "unknown-2");
    expect(errorOf(refused)).toEqual([400, "application/scim+json", "400", "tooMany"]);
    expect(await find('displayName eq "Nobody here"')).toEqual([id]);
    expect((await add("unknown-1")).status).toBe(204);
    expect((await add("unknown-1", people[0]!)).status).toBe(204);
    expect(await directory.applied(id)).toEqual([people[0]]);
  });

  it("can be unknown for at most 100,000 in a connection, and a created user makes room", async () => {
    const full = await Directory.open(await world());
    const { id: crowd } = await full.group("Crowd");
    const { id } = await full.group("One more");
    await sql(
      `INSERT INTO scim_pending_members (org_id, group_id, connector_id, value, created_at)
       SELECT org_id, group_id, connector_id, 'nobody-' || n, now() FROM scim_groups, generate_series(1, $3::int) AS n WHERE org_id = $1 AND group_id = $2`,
      [full.world.orgId, readId("grp", crowd), mostAwaited.connection],
    );
    const add = () => full.patchGroup(id, [{ op: "add", path: "members", value: [{ value: "late" }] }]);
    expect(errorOf(await add())).toEqual([400, "application/scim+json", "400", "tooMany"]);
    expect(await full.members(id)).toEqual([]);
    const other = await Directory.open(full.world);
    await other.group("Of another connection", { members: values(["unknown"]) });
    await full.user("arrived@example.org", { externalId: "nobody-1" });
    expect((await add()).status).toBe(204);
    expect(await full.members(id)).toEqual(["late"]);
  });

  it("are forgotten when a person is erased", async () => {
    const { id } = await directory.user("erase-me@example.org", { externalId: "erase-me" });
    const group = await directory.group("Erased from", { members: values([id]) });
    const other = await Directory.open(w);
    const waits = await other.group("Names the key", { members: values(["erase-me"]) });
    await eraseSubject(w.ctx, { id, reason: "asked" });
    expect(await directory.members(group.id)).toEqual([]);
    expect(await other.members(waits.id)).toEqual([]);
    await directory.patchGroup(group.id, [{ op: "add", path: "members", value: [{ value: id }] }]);
    expect(await directory.applied(group.id)).toEqual([]);
    const left = await sql(`SELECT 1 FROM scim_pending_members WHERE org_id = $1 AND value = 'erase-me'`, [w.orgId]);
    expect(left).toEqual([]);
  });
});
