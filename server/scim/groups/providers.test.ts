import { describe, expect, it } from "vitest";
import { world } from "@/server/testing/world";
import { enterpriseUrn } from "../protocol/schemas";
import { Directory } from "../testing/directory";
import { directory, errorOf } from "../testing/opened";
import { find, openDirectoryOfFour, people, provide, values } from "../testing/groups";

openDirectoryOfFour();

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

  it("Okta: adds an unknown member with known ones, who join; the unknown one joins after its creation", async () => {
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

  it("any: unknown schemas are ignored", async () => {
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

  it("any: a remove without a value removes everybody, and one with an empty list removes nobody", async () => {
    const { id } = await made("Bare", people);
    await directory.patchGroup(id, [{ op: "remove", path: "members", value: [] }]);
    expect(await directory.applied(id)).toEqual(people);
    await directory.patchGroup(id, [{ op: "remove", path: "members" }]);
    expect(await directory.applied(id)).toEqual([]);
  });

  it("any: an unsupported filter of members is refused and removes nobody", async () => {
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
