import { describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { world } from "@/server/testing/world";
import { groupUrn } from "../protocol/schemas";
import { Directory } from "../testing/directory";
import { directory, errorOf, w } from "../testing/opened";
import { eventCount, openDirectoryOfFour, people, typesSince, values } from "../testing/groups";

openDirectoryOfFour();

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

it("has another ETag after a member is renamed", async () => {
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

  it("stays the same when a member is renamed here, because the group shows the directory's name", async () => {
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
  ])("changes when a member is %s here, and the old one is refused", async (how, end) => {
    const { id: user } = await directory.user(`${how}-here@example.org`);
    const { id } = await directory.group(`Lost one ${how}`, { members: values([user]) });
    const { tag } = await shows(id, user);
    expect((await end(user)).status).toBeLessThan(300);
    expect((await shows(id, user)).member).toBeUndefined();
    expect((await read(id, tag)).status).toBe(200);
    const rename = [{ op: "replace", path: "displayName", value: "Overwritten" }];
    expect((await directory.patchGroup(id, rename, { "if-match": tag })).status).toBe(412);
  });

  it("changes when a POST restores a member under another name", async () => {
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

it("writes the name and members of a group that a PATCH nests under the URN of its schema", async () => {
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

  it("is refused a second time by externalId, and by name if no externalId distinguishes the groups", async () => {
    await directory.group("Twice", { externalId: "twice" });
    const uniqueness = [409, "application/scim+json", "409", "uniqueness"];
    const post = (body: object) => directory.scim("POST", "/Groups", body);
    expect(errorOf(await post({ displayName: "Other", externalId: "twice" }))).toEqual(uniqueness);
    expect(errorOf(await post({ displayName: "TWICE" }))).toEqual(uniqueness);
    expect((await post({ displayName: "Twice", externalId: "thrice" })).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ displayName: "Race" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(5).fill(409)]);
  });

  it("needs a readable displayName, and keeps one that is too long for the console as it was written", async () => {
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

  it("is not changed with an outdated If-Match, and keeps its version if nothing changes", async () => {
    const { id } = await directory.group("Stale", { members: values([people[0]!]) });
    const add = (who: string, tag: string) =>
      directory.patchGroup(id, [{ op: "add", path: "members", value: [{ value: who }] }], { "if-match": tag });
    expect((await add(people[0]!, 'W/"1"')).headers.get("etag")).toBe('W/"1"');
    expect((await add(people[1]!, 'W/"1"')).headers.get("etag")).toBe('W/"2"');
    expect(errorOf(await add(people[2]!, 'W/"1"'))).toEqual([412, "application/scim+json", "412", undefined]);
    const known = await directory.scim("GET", `/Groups/${id}`, undefined, { "if-none-match": 'W/"2"' });
    expect(known.status).toBe(304);
  });

  it("is visible only to its connection", async () => {
    const { id } = await directory.group("Own");
    for (const other of [await Directory.open(w), await Directory.open(await world())]) {
      expect((await other.scim("GET", `/Groups/${id}`)).status).toBe(404);
      expect((await other.scim("PUT", `/Groups/${id}`, { displayName: "Theirs" })).status).toBe(404);
      expect((await other.patchGroup(id, [{ op: "remove", path: "members" }])).status).toBe(404);
      expect((await other.scim("DELETE", `/Groups/${id}`)).status).toBe(404);
      expect((await other.scim("GET", "/Groups")).json()).toMatchObject({ totalResults: 0 });
    }
  });

  it("cannot be changed by hand: the directory decides its members, its name and whether it exists", async () => {
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

  it("becomes the organisation's own after its connector is deleted", async () => {
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
