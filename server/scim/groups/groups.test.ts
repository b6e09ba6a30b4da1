import { beforeAll, describe, expect, it } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { auditOf } from "@/server/testing/audit";
import { eventsOf } from "@/server/testing/events";
import { readId } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { enterpriseUrn, groupUrn } from "../protocol/schemas";
import { mostAwaited } from "./awaited";
import { Directory } from "../testing/directory";

let w: World;
let directory: Directory;
let people: string[];
beforeAll(async () => {
  w = await world();
  directory = await Directory.open(w);
  people = [];
  for (let n = 0; n < 4; n++) people.push((await directory.user(`m-${n}@example.org`, { externalId: `m-${n}` })).id);
  people.sort();
});

const errorOf = ({ status, headers, json }: Awaited<ReturnType<typeof call>>) => {
  const { scimType, ...body } = json();
  return [status, headers.get("content-type"), body["status"], scimType];
};
const values = (ids: string[]) => ids.map((value) => ({ value }));
const typesSince = async (n: number) => (await eventsOf(w.orgId)).slice(n).map(({ type }) => type);
const eventCount = async () => (await eventsOf(w.orgId)).length;
const list = async (query: string) =>
  (await directory.scim("GET", `/Groups?${query}`)).json<{
    totalResults: number;
    startIndex: number;
    itemsPerPage: number;
    Resources: { id: string; displayName: string; members?: unknown[] }[];
  }>();
const find = async (filter: string) =>
  (await list(`filter=${encodeURIComponent(filter)}`)).Resources.map(({ id }) => id);

/** Users l-1, l-2, … of a directory that has no others, without a request for each. */
async function provide(of: Directory, n: number): Promise<void> {
  await sql(
    `WITH made AS (INSERT INTO subjects (org_id, id, external_id, display_name) SELECT $1, uuidv7(), 'l-' || n, 'L' FROM generate_series(1, $2::int) AS n RETURNING id, external_id)
     INSERT INTO scim_users (org_id, connector_id, subject_id, user_key, external_id, active, emails, resource, created_at, updated_at)
     SELECT $1, (SELECT id FROM connectors WHERE org_id = $1), id, external_id, external_id, true, '{}', '{}', now(), now() FROM made`,
    [of.world.orgId, n],
  );
  // As the service does itself when its tables have grown.
  await sql("ANALYZE scim_users");
}

describe("a change of a part of members", () => {
  it.each<[string, (id: string) => unknown[], number]>([
    ["replaces display", (id) => [{ op: "replace", path: `members[value eq "${id}"].display`, value: "x" }], 204],
    ["replaces type", (id) => [{ op: "Replace", path: `members[value eq "${id}"].type`, value: "User" }], 204],
    ["replaces the display of all", () => [{ op: "replace", path: "members.display", value: "x" }], 204],
    ["has display as a key", () => [{ op: "replace", value: { "members.display": "x" } }], 204],
    ["removes display", (id) => [{ op: "remove", path: `members[value eq "${id}"].display` }], 204],
    ["removes the type of all", () => [{ op: "remove", path: "members.type" }], 204],
    ["removes the value", (id) => [{ op: "remove", path: `members[value eq "${id}"].value` }], 400],
    ["removes the values of all", () => [{ op: "remove", path: "members.value" }], 400],
  ])("that %s removes nobody", async (_, operations, status) => {
    const { id } = await directory.group("Parts of members", { members: values(people) });
    const answer = await directory.patchGroup(id, operations(people[0]!));
    expect([answer.status, status === 400 && answer.json()["scimType"]]).toEqual([
      status,
      status === 400 && "mutability",
    ]);
    expect(await directory.members(id)).toEqual(people);
    expect(await directory.applied(id)).toEqual(people);
    await directory.scim("DELETE", `/Groups/${id}`);
  });
});

it("has another ETag once a member is renamed", async () => {
  const { id: user } = await directory.user("named@example.org", { displayName: "Before" });
  const { id } = await directory.group("Shows names", { members: values([user]) });
  const read = async (known = "") => directory.scim("GET", `/Groups/${id}`, undefined, { "if-none-match": known });
  const tag = (await read()).headers.get("etag")!;
  await directory.patch(user, [{ op: "replace", path: "title", value: "Dean" }]);
  expect((await read(tag)).status).toBe(304);
  await directory.patch(user, [{ op: "replace", path: "displayName", value: "After" }]);
  expect((await read(tag)).json()).toMatchObject({ members: [{ display: "After" }] });
});

describe("the ETag of a group", () => {
  const read = async (id: string, known = "") =>
    directory.scim("GET", `/Groups/${id}`, undefined, { "if-none-match": known });
  const shows = async (id: string, user: string) => {
    const answer = await read(id);
    const { members = [] } = answer.json<{ members?: { value: string; display?: string }[] }>();
    return { tag: answer.headers.get("etag")!, member: members.find(({ value }) => value === user) };
  };

  it("stays when a member is renamed here, since the group shows the directory's name", async () => {
    const { id: user } = await directory.user("renamed-here@example.org", { displayName: "Of the directory" });
    const { id } = await directory.group("Names of the directory", { members: values([user]) });
    const { tag } = await shows(id, user);
    expect((await directory.rest("PATCH", `/subjects/${user}`, { displayName: "Of the console" })).status).toBe(200);
    expect((await read(id, tag)).status).toBe(304);
    expect((await shows(id, user)).member).toMatchObject({ display: "Of the directory" });
  });

  it.each([
    ["deleted", (user: string) => directory.rest("DELETE", `/subjects/${user}`)],
    ["erased", (user: string) => directory.rest("POST", `/subjects/${user}/erase`, { reason: "asked" })],
  ])("is another one once a member is %s here, and the old one is refused", async (how, end) => {
    const { id: user } = await directory.user(`${how}-here@example.org`);
    const { id } = await directory.group(`Lost one ${how}`, { members: values([user]) });
    const { tag } = await shows(id, user);
    expect((await end(user)).status).toBeLessThan(300);
    expect((await shows(id, user)).member).toBeUndefined();
    expect((await read(id, tag)).status).toBe(200);
    const rename = [{ op: "replace", path: "displayName", value: "Overwritten" }];
    expect((await directory.patchGroup(id, rename, { "if-match": tag })).status).toBe(412);
  });

  it("is another one once a POST restores a member under another name", async () => {
    const sent = { externalId: "restored-member", displayName: "Before" };
    const { id: user } = await directory.user("restored-member@example.org", sent);
    const { id } = await directory.group("Shows the restored", { members: values([user]) });
    await directory.patch(user, [{ op: "replace", path: "active", value: false }]);
    const { tag } = await shows(id, user);
    await directory.user("restored-member@example.org", { ...sent, displayName: "After" });
    const after = await shows(id, user);
    expect(after.member).toMatchObject({ display: "After" });
    expect(after.tag).not.toBe(tag);
  });
});

it("writes the name and members of a group that are nested under the URN of its schema in a PATCH", async () => {
  const { id } = await directory.group("Nested");
  const nested = { displayName: "Nested 2", members: values(people) };
  expect((await directory.patchGroup(id, [{ op: "replace", value: { [groupUrn]: nested } }])).status).toBe(204);
  expect((await directory.scim("GET", `/Groups/${id}`)).json()).toMatchObject({ displayName: "Nested 2" });
  expect(await directory.members(id)).toEqual(people);
  await directory.scim("DELETE", `/Groups/${id}`);
});

describe("a group", () => {
  it("is created with members as a static group that the connection provides", async () => {
    const before = await eventCount();
    const made = await directory.scim("POST", "/Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: "Mathematicians",
      externalId: "g-1",
      members: values(people.slice(0, 2)),
    });
    // These people have no name, and a member without a name has no display.
    const body = made.json<{ id: string }>();
    expect([made.status, made.headers.get("content-type"), made.headers.get("etag")]).toEqual([
      201,
      "application/scim+json",
      'W/"1"',
    ]);
    expect(new URL(made.headers.get("location")!).pathname).toBe(`/scim/v2/Groups/${body.id}`);
    expect(body).toEqual({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      id: expect.stringMatching(/^grp_/),
      displayName: "Mathematicians",
      externalId: "g-1",
      members: people.slice(0, 2).map((value) => ({
        value,
        $ref: expect.stringMatching(new RegExp(`/scim/v2/Users/${value}$`)),
        type: "User",
      })),
      meta: {
        resourceType: "Group",
        created: expect.any(String),
        lastModified: expect.any(String),
        location: expect.stringContaining(body.id),
        version: 'W/"1"',
      },
    });
    expect((await directory.rest("GET", `/groups/${body.id}`)).json()).toMatchObject({
      name: "Mathematicians",
      kind: "static",
      memberCount: 2,
      providedBy: { connectorId: directory.id, name: "Directory" },
    });
    expect(await typesSince(before)).toEqual(["group.created", "group.members_added"]);
  });

  it("is refused twice, by externalId, and by name where no externalId tells them apart", async () => {
    await directory.group("Twice", { externalId: "twice" });
    const uniqueness = [409, "application/scim+json", "409", "uniqueness"];
    const post = (body: object) => directory.scim("POST", "/Groups", body);
    expect(errorOf(await post({ displayName: "Other", externalId: "twice" }))).toEqual(uniqueness);
    expect(errorOf(await post({ displayName: "TWICE" }))).toEqual(uniqueness);
    expect((await post({ displayName: "Twice", externalId: "thrice" })).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ displayName: "Race" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(5).fill(409)]);
  });

  it("needs a displayName that can be read, and keeps one that is too long for the console as it was written", async () => {
    for (const displayName of ["", "\u200b", 7, undefined])
      expect(errorOf(await directory.scim("POST", "/Groups", { displayName }))[3]).toBe(
        displayName === 7 ? undefined : "invalidValue",
      );
    const long = `Long ${"n".repeat(400)}`;
    const { id, displayName } = await directory.group(long);
    expect(displayName).toBe(long);
    const { name } = (await directory.rest("GET", `/groups/${id}`)).json<{ name: string }>();
    expect([name.length <= 200, long.startsWith(name)]).toEqual([true, true]);
  });

  it("is not changed by a stale If-Match, and keeps its version where nothing changes", async () => {
    const { id } = await directory.group("Stale", { members: values([people[0]!]) });
    const add = (who: string, tag: string) =>
      directory.patchGroup(id, [{ op: "add", path: "members", value: [{ value: who }] }], { "if-match": tag });
    expect((await add(people[0]!, 'W/"1"')).headers.get("etag")).toBe('W/"1"');
    expect((await add(people[1]!, 'W/"1"')).headers.get("etag")).toBe('W/"2"');
    expect(errorOf(await add(people[2]!, 'W/"1"'))).toEqual([412, "application/scim+json", "412", undefined]);
    const known = await directory.scim("GET", `/Groups/${id}`, undefined, { "if-none-match": 'W/"2"' });
    expect(known.status).toBe(304);
  });

  it("is seen by its connection alone", async () => {
    const { id } = await directory.group("Own");
    for (const other of [await Directory.open(w), await Directory.open(await world())]) {
      expect((await other.scim("GET", `/Groups/${id}`)).status).toBe(404);
      expect((await other.scim("PUT", `/Groups/${id}`, { displayName: "Theirs" })).status).toBe(404);
      expect((await other.patchGroup(id, [{ op: "remove", path: "members" }])).status).toBe(404);
      expect((await other.scim("DELETE", `/Groups/${id}`)).status).toBe(404);
      expect((await other.scim("GET", "/Groups")).json()).toMatchObject({ totalResults: 0 });
    }
  });

  it("is not changed by hand: its members, its name and whether it is there are the directory's", async () => {
    const { id } = await directory.group("Provided", { members: values([people[0]!]) });
    const refused = async (method: string, path: string, body?: unknown) =>
      (await directory.rest(method, `/groups/${id}${path}`, body)).json<{ code: string }>().code;
    expect(await refused("POST", "/members", { subjectIds: [people[1]] })).toBe("group_provided");
    expect(await refused("POST", "/members/remove", { subjectIds: [people[0]] })).toBe("group_provided");
    expect(await refused("PATCH", "", { name: "Mine" })).toBe("group_provided");
    expect(await refused("DELETE", "")).toBe("group_provided");
    const described = await directory.rest("PATCH", `/groups/${id}`, { description: "Of Entra", externalId: "mine-1" });
    expect([described.status, described.json()]).toEqual([200, expect.objectContaining({ externalId: "mine-1" })]);
  });

  it("is the organisation's own once its connector is deleted", async () => {
    const other = await Directory.open(w);
    const { id } = await other.group("Left behind");
    await other.rest("DELETE", `/connectors/${other.id}`);
    expect((await other.rest("GET", `/groups/${id}`)).json()).toMatchObject({ providedBy: null });
    expect((await other.rest("PATCH", `/groups/${id}`, { name: "Ours" })).status).toBe(200);
  });

  it("is deleted with its memberships, and leaves an audit entry", async () => {
    const { id } = await directory.group("Short-lived", { externalId: "short", members: values(people) });
    const before = await eventCount();
    expect((await directory.scim("DELETE", `/Groups/${id}`)).status).toBe(204);
    expect((await directory.scim("DELETE", `/Groups/${id}`)).status).toBe(404);
    expect((await directory.rest("GET", `/groups/${id}`)).status).toBe(404);
    expect(await typesSince(before)).toEqual(["group.deleted"]);
    expect((await auditOf(w.orgId)).at(-1)).toBe("scim_group.deleted");
    expect((await directory.group("Short-lived", { externalId: "short" })).id).not.toBe(id);
  });
});

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

  it("wait where they are unknown, and join when they are created", async () => {
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

  it("join when a user who was deleted is restored, and are not shown meanwhile", async () => {
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

  it("wait no more where the directory takes them out", async () => {
    const group = await directory.group("Given up", { members: values(["nobody-1", "nobody-2"]) });
    await directory.patchGroup(group.id, [{ op: "remove", path: 'members[value eq "nobody-1"]' }]);
    expect(await directory.members(group.id)).toEqual(["nobody-2"]);
    await directory.scim("PUT", `/Groups/${group.id}`, { displayName: "Given up" });
    expect(await directory.members(group.id)).toEqual([]);
  });

  it("who are people of other sources wait until this directory provides them", async () => {
    const { id } = (await directory.rest("PUT", "/subjects", { externalId: "by-api" })).json<{ id: string }>();
    const group = await directory.group("Others", { members: values([id]) });
    expect(await directory.applied(group.id)).toEqual([]);
    const user = await directory.user("by-api@example.org", { externalId: "by-api" });
    expect(user.id).toBe(id);
    expect(await directory.applied(group.id)).toEqual([id]);
  });

  it("lose nobody when 500 requests change one group at once", async () => {
    const hall = await Directory.open(await world());
    await provide(hall, 500);
    const [leaving, staying] = await Promise.all([hall.userIds(1), hall.userIds(251)]);
    const { id } = await hall.group("Concurrent", { members: values(leaving) });
    // A provider repeats what is answered with 429: an organisation has few connections to the database at once.
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

  it("join also where the user is created at the same time as they are named", async () => {
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

  it("who are unknown are at most 10,000 in a group, and more are refused as a whole", async () => {
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

  it("who are unknown are at most 100,000 in a connection, and a user who comes makes room", async () => {
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

  it("are forgotten with a person who is erased", async () => {
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

describe("a group as providers send it", () => {
  const made = (name: string, members: string[] = []) => directory.group(name, { members: values(members) });

  it("Entra: creates, adds, removes by a list with $ref null, renames and deletes", async () => {
    const created = await directory.scim("POST", "/Groups", {
      schemas: [
        "urn:ietf:params:scim:schemas:core:2.0:Group",
        "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group",
      ],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: "Entra group",
      meta: { resourceType: "Group" },
    });
    const { id } = created.json<{ id: string }>();
    const patch = async (operation: object) => {
      const answer = await directory.scim("PATCH", `/Groups/${id}`, {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
        Operations: [operation],
      });
      expect([answer.status, answer.text]).toEqual([204, ""]);
    };
    const byId = `id eq "${id}" and members eq "${people[0]!}"`;
    const asked = await directory.scim("GET", `/Groups/${id}?excludedAttributes=members`);
    expect(asked.json()).not.toHaveProperty("members");
    expect(await find(byId)).toEqual([]);
    await patch({ op: "Add", path: "members", value: [{ $ref: null, value: people[0] }] });
    await patch({ op: "Add", path: "members", value: [{ $ref: null, value: people[1] }] });
    expect(await find(byId)).toEqual([id]);
    await patch({ op: "Remove", path: "members", value: [{ $ref: null, value: people[0] }] });
    expect(await directory.applied(id)).toEqual([people[1]]);
    await patch({ op: "Replace", path: "displayName", value: "Entra group, renamed" });
    await patch({ op: "Replace", path: "externalId", value: "8aa1a0c0-changed" });
    expect(await find('externalId eq "8aa1a0c0-changed"')).toEqual([id]);
    expect((await directory.rest("GET", `/groups/${id}`)).json()).toMatchObject({ name: "Entra group, renamed" });
    expect(await directory.applied(id)).toEqual([people[1]]);
    expect((await directory.scim("DELETE", `/Groups/${id}`)).status).toBe(204);
  });

  it("Okta: replaces a group without members and keeps them, and renames by an array", async () => {
    const { id } = await made("Okta group", people);
    const name = { id, displayName: "Okta renamed" };
    expect((await directory.patchGroup(id, [{ op: "replace", value: name }])).status).toBe(204);
    await directory.patchGroup(id, [{ op: "replace", value: [{ id, displayName: "Okta wrapped" }] }]);
    expect(await directory.applied(id)).toEqual(people);
    expect(await find('displayName eq "okta WRAPPED"')).toEqual([id]);
  });

  it("Okta: pushes a group now, by replacing all members, also by none", async () => {
    const { id } = await made("Pushed", people.slice(0, 2));
    await directory.patchGroup(id, [{ op: "replace", path: "members", value: values(people.slice(1)) }]);
    expect(await directory.applied(id)).toEqual(people.slice(1));
    await directory.patchGroup(id, [{ op: "replace", value: { members: values(people.slice(0, 1)) } }]);
    expect(await directory.applied(id)).toEqual(people.slice(0, 1));
    await directory.patchGroup(id, [{ op: "replace", path: "members", value: [] }]);
    expect(await directory.applied(id)).toEqual([]);
  });

  it("Okta: adds an unknown member with known ones, who join, and the unknown one joins once created", async () => {
    const { id } = await made("Partly unknown");
    const patched = await directory.patchGroup(id, [
      { op: "add", path: "members", value: values(["00u-later", people[0]!]) },
    ]);
    expect(patched.status).toBe(204);
    expect(await directory.applied(id)).toEqual([people[0]]);
    const { id: late } = await directory.user("later@okta.org", { externalId: "00u-later" });
    expect(await directory.applied(id)).toEqual([people[0], late].toSorted());
  });

  it("Okta: removes and adds in one request, in its order", async () => {
    const { id } = await made("Ordered", people.slice(0, 2));
    await directory.patchGroup(id, [
      { op: "remove", path: `members[value eq "${people[0]!}"]` },
      { op: "remove", path: `members[value eq "${people[1]!}"]` },
      { op: "add", path: "members", value: values([people[1]!, people[2]!]) },
      { op: "remove", path: `members[value eq "${people[2]!}"]` },
      { op: "add", path: "members", value: values([people[3]!]) },
    ]);
    expect(await directory.applied(id)).toEqual([people[1], people[3]]);
  });

  it("Okta: sends whole groups by PUT, and removes everybody by one without members", async () => {
    const { id } = await made("Put", people.slice(0, 2));
    const put = await directory.scim("PUT", `/Groups/${id}`, {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      id,
      displayName: "Put again",
      members: people.slice(1, 3).map((value) => ({ value, display: "x" })),
    });
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining({ displayName: "Put again" })]);
    expect(await directory.applied(id)).toEqual(people.slice(1, 3));
    await directory.scim("PUT", `/Groups/${id}`, { displayName: "Put again" });
    expect(await directory.applied(id)).toEqual([]);
  });

  it("authentik: patches a group without a path, with its schemas and id", async () => {
    const { id } = await made("authentik", people.slice(0, 1));
    const value = { schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"], id, displayName: "authentik renamed" };
    expect((await directory.patchGroup(id, [{ op: "replace", value }])).status).toBe(204);
    expect(await find('displayName eq "authentik renamed"')).toEqual([id]);
    expect(await directory.applied(id)).toEqual(people.slice(0, 1));
  });

  it("WSO2: adds members without a path, each with display and an absolute $ref", async () => {
    const { id } = await made("WSO2");
    const member = (value: string) => ({
      display: "PRIMARY/x",
      value,
      $ref: `https://idp.example/scim2/Users/${value}`,
    });
    const patched = await directory.patchGroup(id, [{ op: "add", value: { members: people.slice(0, 2).map(member) } }]);
    expect(patched.status).toBe(204);
    expect(await directory.applied(id)).toEqual(people.slice(0, 2));
  });

  it("OneLogin: replaces all members by a list with a path", async () => {
    const { id } = await made("OneLogin replaced", people.slice(0, 2));
    await directory.patchGroup(id, [{ op: "replace", path: "members", value: values(people.slice(2)) }]);
    expect(await directory.applied(id)).toEqual(people.slice(2));
  });

  it("OneLogin: adds without a path", async () => {
    const { id } = await made("OneLogin", people.slice(0, 1));
    await directory.patchGroup(id, [{ op: "add", value: { members: values(people.slice(1, 2)) } }]);
    expect(await directory.applied(id)).toEqual(people.slice(0, 2));
  });

  it("Microsoft's collection: adds a member as a plain text", async () => {
    const { id } = await made("Collection");
    await directory.patchGroup(id, [{ op: "add", path: "members", value: people[0] }]);
    await directory.patchGroup(id, [{ op: "Add", path: "members", value: [people[1]] }]);
    expect(await directory.applied(id)).toEqual(people.slice(0, 2));
  });

  it("JumpCloud: names attributes under the URN of the schema", async () => {
    const { id } = await made("JumpCloud");
    const urn = "urn:ietf:params:scim:schemas:core:2.0:Group";
    await directory.patchGroup(id, [
      { op: "replace", path: `${urn}:displayName`, value: "JumpCloud renamed" },
      { op: "add", path: `${urn}:members`, value: values([people[0]!]) },
    ]);
    expect(await directory.scim("GET", `/Groups/${id}`).then((answer) => answer.json())).toMatchObject({
      displayName: "JumpCloud renamed",
      members: [{ value: people[0] }],
    });
  });

  it("any: schemas that we do not know are passed over", async () => {
    const { id } = await directory.group("Unknown schemas", {
      "urn:example:params:Group": { owner: "somebody" },
      [enterpriseUrn]: { department: "x" },
    });
    const patched = await directory.patchGroup(id, [
      { op: "add", path: "urn:example:params:Group:owner", value: "x" },
      { op: "replace", path: "description", value: "x" },
      { op: "add", value: { "urn:example:params:Group": { owner: "y" }, displayName: "Known" } },
    ]);
    expect(patched.status).toBe(204);
    expect(Object.keys((await directory.scim("GET", `/Groups/${id}`)).json())).toEqual([
      "schemas",
      "id",
      "displayName",
      "meta",
    ]);
  });

  it("any: a remove without a value removes everybody, and one with an empty list nobody", async () => {
    const { id } = await made("Bare", people);
    await directory.patchGroup(id, [{ op: "remove", path: "members", value: [] }]);
    expect(await directory.applied(id)).toEqual(people);
    await directory.patchGroup(id, [{ op: "remove", path: "members" }]);
    expect(await directory.applied(id)).toEqual([]);
  });

  it("any: a filter of members that is not supported is refused and removes nobody", async () => {
    const { id } = await made("Filtered", people);
    const patched = await directory.patchGroup(id, [{ op: "remove", path: 'members[display co "a"]' }]);
    expect(errorOf(patched)).toEqual([400, "application/scim+json", "400", "invalidFilter"]);
    expect(await directory.applied(id)).toEqual(people);
  });

  it("any: 256 and 5,000 members in one PATCH", async () => {
    const large = await Directory.open(await world());
    await provide(large, 5_000);
    const all = Array.from({ length: 5_000 }, (_, n) => ({ value: `l-${n + 1}` }));
    const { id } = await large.group("Large");
    const count = async () => (await large.rest("GET", `/groups/${id}`)).json<{ memberCount: number }>().memberCount;
    for (const [some, left] of [
      [all.slice(0, 256), 256],
      [all, 5_000],
    ] as const) {
      expect((await large.patchGroup(id, [{ op: "Add", path: "members", value: some }])).status).toBe(204);
      expect(await count()).toBe(left);
    }
    const gone = all.slice(0, 4_990);
    const removed = await large.patchGroup(
      id,
      gone.map(({ value }) => ({ op: "remove", path: `members[value eq "${value}"]` })),
    );
    expect(removed.status).toBe(204);
    expect(await count()).toBe(10);
  });
});

describe("a list of groups", () => {
  let listed: Directory;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    listed = await Directory.open(w);
    const { id } = await listed.user("in-list@example.org", { externalId: "in-list" });
    for (const name of ["B", "a", "C"])
      ids[name] = (
        await listed.group(name, { externalId: `x-${name}`, ...(name === "a" && { members: values([id]) }) })
      ).id;
  });
  const get = async (query: string) =>
    (await listed.scim("GET", `/Groups?${query}`)).json<{
      totalResults: number;
      startIndex: number;
      itemsPerPage: number;
      Resources: { id: string; displayName: string; members?: unknown[] }[];
    }>();
  const names = async (query: string) => (await get(query)).Resources.map(({ displayName }) => displayName);
  const filtered = (filter: string) => names(`sortBy=displayName&filter=${encodeURIComponent(filter)}`);

  it("has pages by startIndex and count, also none and one past the end", async () => {
    expect(await names("sortBy=displayName&startIndex=2&count=1")).toEqual(["B"]);
    expect(await get("count=0")).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await get("startIndex=50")).toMatchObject({ totalResults: 3, startIndex: 50, Resources: [] });
    expect(await names("sortBy=externalId&sortOrder=descending")).toEqual(["a", "C", "B"]);
    expect(errorOf(await listed.scim("GET", "/Groups?sortBy=members"))[3]).toBe("invalidPath");
  });

  it("is filtered by name, externalId, id and members", async () => {
    expect(await filtered('displayName eq "A"')).toEqual(["a"]);
    expect(await filtered('displayName eq B or externalId eq "x-C"')).toEqual(["B", "C"]);
    expect(await filtered(`id eq "${ids["C"]!}"`)).toEqual(["C"]);
    expect(await filtered("members pr")).toEqual(["a"]);
    expect(await filtered("not (members pr)")).toEqual(["B", "C"]);
    const { id } = (await listed.find('externalId eq "in-list"')).Resources[0]!;
    for (const filter of [`members.value eq "${id}"`, `members[value eq "${id}"]`, `members eq "${id}"`])
      expect(await filtered(filter)).toEqual(["a"]);
    expect(await filtered(`id eq "${ids["B"]!}" and members.value eq "${id}"`)).toEqual([]);
  });

  it("is refused with a filter that is not supported", async () => {
    for (const filter of ['members.value co "x"', 'owner eq "x"', 'members[display eq "x"]'])
      expect(errorOf(await listed.scim("GET", `/Groups?filter=${encodeURIComponent(filter)}`))).toEqual([
        400,
        "application/scim+json",
        "400",
        "invalidFilter",
      ]);
  });

  it("has fewer groups in a page where they have many members, and cursors lead through all of them", async () => {
    const large = await Directory.open(await world());
    const groups: string[] = [];
    for (let n = 0; n < 3; n++) groups.push((await large.group(`Large ${n}`)).id);
    await sql(
      `INSERT INTO scim_pending_members (org_id, group_id, connector_id, value, created_at)
       SELECT org_id, group_id, connector_id, 'x-' || n, now() FROM scim_groups, generate_series(1, 9000) AS n WHERE org_id = $1`,
      [large.world.orgId],
    );
    const read = async (query: string) =>
      (await large.scim("GET", `/Groups?${query}`)).json<{
        totalResults: number;
        itemsPerPage: number;
        nextCursor?: string;
        Resources: { id: string; members?: unknown[] }[];
      }>();
    expect(await read("count=10")).toMatchObject({ totalResults: 3, itemsPerPage: 2 });
    expect((await read("count=10&startIndex=3")).Resources.map(({ id }) => id)).toEqual([groups[2]]);
    expect(await read("count=10&excludedAttributes=members")).toMatchObject({ itemsPerPage: 3 });
    for (const order of ["", "&sortBy=displayName"]) {
      const first = await read(`count=10&cursor=${order}`);
      const second = await read(`count=10&cursor=${encodeURIComponent(first.nextCursor!)}${order}`);
      expect([...first.Resources, ...second.Resources].map(({ id }) => id)).toEqual(groups);
      expect(second.nextCursor).toBeUndefined();
    }
  });

  it("has members unless they are excluded, and is asked for by POST .search too", async () => {
    expect((await get("filter=displayName eq a")).Resources[0]).toHaveProperty("members");
    expect((await get("filter=displayName eq a&excludedAttributes=members")).Resources[0]).not.toHaveProperty(
      "members",
    );
    const [only] = (await get("filter=displayName eq a&attributes=displayName")).Resources;
    expect(only).toEqual({ schemas: expect.any(Array), id: ids["a"], displayName: "a" });
    const found = await listed.scim("POST", "/Groups/.search", { filter: 'displayName sw "b"' });
    expect([found.status, found.json()]).toEqual([200, expect.objectContaining({ totalResults: 1 })]);
  });
});
