import { beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { enterpriseUrn, userUrn } from "../protocol/schemas";
import { Directory } from "../testing/directory";

let w: World;
let directory: Directory;
beforeAll(async () => {
  w = await world();
  directory = await Directory.open(w);
});

const patchOp = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const send = async (id: string, Operations: unknown) => {
  const answer = await directory.scim("PATCH", `/Users/${id}`, { schemas: [patchOp], Operations });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json<Record<string, unknown> & { meta: { version: string } }>();
};
const idsOf = async (filter: string) => (await directory.find(filter)).Resources.map(({ id }) => id);

describe("Entra", () => {
  it("changes a dozen attributes in one PATCH: missing ones are created, and none fails the others", async () => {
    const { id } = await directory.user("bundle@entra.org", {
      emails: [{ type: "work", value: "bundle@entra.org", primary: true }],
    });
    const operations = [
      { op: "Replace", path: 'emails[type eq "work"].value', value: "new@entra.org" },
      { op: "Replace", path: 'phoneNumbers[type eq "mobile"].value', value: "+41 1" },
      { op: "Replace", path: 'phoneNumbers[type eq "fax"].value', value: "+41 2" },
      { op: "Replace", path: 'addresses[type eq "work"].streetAddress', value: "1 High Street" },
      { op: "Replace", path: 'addresses[type eq "work"].country', value: "CH" },
      { op: "Replace", path: 'roles[primary eq "True"].value', value: "lecturer" },
      { op: "Replace", path: 'entitlements[type eq "licence"].value', value: "A3" },
      { op: "Replace", path: 'ims[type eq "xmpp"].shoeSize', value: "42" },
      { op: "Replace", path: "shoeSize", value: 42 },
      { op: "Replace", path: "meta.created", value: "2020-01-01T00:00:00Z" },
      { op: "Add", path: `${enterpriseUrn}:employeeNumber`, value: "1815" },
      { op: "Replace", path: "active", value: "False" },
    ];
    const body = await send(id, operations);
    expect(body).toMatchObject({
      active: false,
      emails: [{ type: "work", value: "new@entra.org", primary: true }],
      phoneNumbers: [
        { type: "mobile", value: "+41 1" },
        { type: "fax", value: "+41 2" },
      ],
      addresses: [{ type: "work", streetAddress: "1 High Street", country: "CH" }],
      roles: [{ primary: true, value: "lecturer" }],
      entitlements: [{ type: "licence", value: "A3" }],
      [enterpriseUrn]: { employeeNumber: "1815" },
    });
    expect(body).not.toHaveProperty("ims");
    // Sent again, they change nothing. Entra would repeat forever a change that is not returned as written.
    expect((await send(id, operations)).meta.version).toBe(body.meta.version);
  });

  it("writes spaces in paths, and dotted names and URNs in values without a path", async () => {
    const { id } = await directory.user("odd-paths@entra.org", {
      emails: [{ type: "work", value: "before@entra.org" }],
    });
    const operations = [
      { op: "Replace", path: ' emails[ type  eq "work" ] . value ', value: "after@entra.org" },
      {
        op: "Add",
        value: {
          "name.givenName": "Ada",
          [`${enterpriseUrn}:employeeNumber`]: "1815",
          [enterpriseUrn]: { division: "North" },
          'emails[type eq "home"].value': "home@entra.org",
          [`${enterpriseUrn}:manager.value`]: "boss",
        },
      },
    ];
    const told = await send(id, operations);
    expect(told).toMatchObject({
      emails: [
        { type: "work", value: "after@entra.org" },
        { type: "home", value: "home@entra.org" },
      ],
      name: { givenName: "Ada" },
      [enterpriseUrn]: { employeeNumber: "1815", division: "North", manager: { value: "boss" } },
    });
    expect((await send(id, operations)).meta.version).toBe(told.meta.version);
  });

  it("names the manager by text and by object, and clears it by an empty text", async () => {
    const { id } = await directory.user("managed@entra.org");
    const set = async (value: unknown) =>
      (await send(id, [{ op: "Replace", path: `${enterpriseUrn}:manager`, value }]))[enterpriseUrn];
    expect(await set("sub_boss")).toEqual({ manager: { value: "sub_boss" } });
    expect(await set({ value: "sub_other", displayName: "Grace" })).toEqual({
      manager: { value: "sub_other", displayName: "Grace" },
    });
    expect(await set("")).toBeUndefined();
  });

  it("adds to its own list and never removes; a setting of the connection makes the list equal the last one sent", async () => {
    const tags = "urn:ietf:params:scim:schemas:extension:custom:2.0:User:tags";
    const replacing = await Directory.open(w, { settings: { provider: "entra", replaceOnAdd: [tags, "roles"] } });
    const { id } = await replacing.user("lists@entra.org", { entitlements: [{ value: "e1" }] });
    const add = async (operations: [path: string, value: unknown][]) =>
      (
        await replacing.patch(
          id,
          operations.map(([path, value]) => ({ op: "Add", path, value })),
        )
      ).json();
    await add([
      [tags, "a"],
      [tags, "b"],
      ["roles", [{ value: "r1" }]],
      ["entitlements", [{ value: "e2" }]],
    ]);
    expect(
      await add([
        [tags, ["c"]],
        [tags, "d"],
        ["roles", [{ value: "r2" }]],
      ]),
    ).toMatchObject({
      "urn:ietf:params:scim:schemas:extension:custom:2.0:User": { tags: ["c", "d"] },
      roles: [{ value: "r2" }],
      entitlements: [{ value: "e1" }, { value: "e2" }],
    });
    for (const path of ["title", "emails[type", "emails.value", "shoeSize"]) {
      const refused = await replacing.rest("PATCH", `/connectors/${replacing.id}`, {
        settings: { replaceOnAdd: [path] },
      });
      expect([path, refused.status, refused.json()]).toMatchObject([
        path,
        400,
        { errors: [{ pointer: "/settings/replaceOnAdd/0" }] },
      ]);
    }
  });

  it("wraps single values in a list with $ref null, writes primary as a text, and sends no operations at all", async () => {
    const { id } = await directory.user("wrapped@entra.org", { title: "Before" });
    const wrapped = (value: unknown) => [{ $ref: null, value }];
    const told = await send(id, [
      { op: "Replace", path: "title", value: wrapped("After") },
      { op: "Add", path: `${enterpriseUrn}:department`, value: wrapped("Maths") },
      { op: "Add", path: "emails", value: [{ type: "work", value: "w@entra.org", primary: "True" }] },
    ]);
    expect(told).toMatchObject({
      title: "After",
      emails: [{ type: "work", value: "w@entra.org", primary: true }],
      [enterpriseUrn]: { department: "Maths" },
    });
    expect((await send(id, [])).meta.version).toBe(told.meta.version);
  });

  it("renames a person by userName, even only in another case", async () => {
    const { id } = await directory.user("maiden@entra.org", { externalId: "oid-1" });
    for (const value of ["Maiden@entra.org", "married@entra.org"]) {
      expect(await send(id, [{ op: "Replace", path: "userName", value }])).toMatchObject({ userName: value });
      expect(await idsOf(`userName eq "${value.toUpperCase()}"`)).toEqual([id]);
    }
    expect(await directory.subject(id)).toMatchObject({ externalId: "oid-1" });
  });

  it("leaves an audit entry for a change that affects no field of the person", async () => {
    const own = await world();
    const entra = await Directory.open(own);
    const { id } = await entra.user("audited@entra.org");
    const actions = () => auditOf(own.orgId);
    const before = (await actions()).length;
    await entra.patch(id, [{ op: "Replace", path: "nickName", value: "A" }]);
    expect((await actions()).slice(before)).toEqual(["scim_user.written"]);
    const [entry] = await sql<{ detail: object }>(
      `SELECT target_type, target_id, detail, actor FROM audit_entries WHERE org_id = $1 AND action = 'scim_user.written'`,
      [own.orgId],
    );
    expect(entry).toMatchObject({
      target_type: "subject",
      target_id: id,
      detail: { connectorId: entra.id, attributes: ["nickName"] },
      actor: { type: "api_key" },
    });
    await entra.patch(id, [{ op: "Replace", path: "nickName", value: "A" }]);
    // A changed title is a field of the person, and has an event.
    await entra.patch(id, [{ op: "Replace", path: "title", value: "Dr" }]);
    expect((await actions()).slice(before)).toEqual(["scim_user.written"]);
  });
});

describe("Okta", () => {
  const profile = {
    schemas: [userUrn, enterpriseUrn],
    externalId: "00u-full",
    userName: "full@okta.org",
    name: { givenName: "Ada", familyName: "Lovelace", middleName: "", honorificPrefix: null },
    emails: [
      { primary: true, value: "full@okta.org", type: "work" },
      { primary: false, value: "second@okta.org", type: "secondary" },
    ],
    phoneNumbers: [{ primary: true, value: "+44 1", type: "mobile" }],
    displayName: "Ada Lovelace",
    title: "Countess",
    locale: "en-GB",
    groups: [],
    password: "S3cret-of-Okta",
    active: true,
    [enterpriseUrn]: { employeeNumber: "1815", department: "Engines", manager: { value: "00u-boss" } },
  };

  it("puts the whole profile with its id, groups and meta, and gets it back as written", async () => {
    const { id, meta } = await directory.user("full@okta.org", profile);
    const sent = { ...profile, id, meta, title: "Countess of Lovelace", [enterpriseUrn]: { employeeNumber: "1816" } };
    const put = await directory.scim("PUT", `/Users/${id}`, sent);
    const { password: _, groups: __, name: ___, meta: ____, ...told } = sent;
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining(told)]);
    expect(put.json()).toMatchObject({ name: { givenName: "Ada", familyName: "Lovelace" } });
    // Values that the profile no longer contains are removed from the person.
    expect((await directory.subject(id))["attributes"]).toMatchObject({
      title: "Countess of Lovelace",
      employeeNumber: "1816",
    });
    expect((await directory.subject(id))["attributes"]).not.toHaveProperty("department");
  });

  it("sends a user's groups with the user, but only groups decide memberships", async () => {
    const group = (await directory.group("Of Okta")).id;
    const groups = [{ value: group, display: "Of Okta" }];
    const { id } = await directory.user("grouped@okta.org", { groups });
    await directory.scim("PUT", `/Users/${id}`, { userName: "grouped@okta.org", groups });
    expect(await directory.applied(group)).toEqual([]);
    await directory.patchGroup(group, [{ op: "add", path: "members", value: [{ value: id }] }]);
    const put = await directory.scim("PUT", `/Users/${id}`, { userName: "grouped@okta.org", groups: [] });
    expect(put.json()).toMatchObject({ groups: [{ value: group, display: "Of Okta" }] });
    expect(await directory.applied(group)).toEqual([id]);
  });

  it("deactivates and activates by a value without a path", async () => {
    const { id } = await directory.user("toggle@okta.org");
    for (const active of [false, true]) {
      expect(await send(id, [{ op: "replace", value: { active } }])).toMatchObject({ active });
      expect(await directory.subject(id)).toMatchObject({ status: active ? "active" : "inactive" });
    }
  });

  it("sends passwords by POST, PUT and PATCH, and none is stored or returned", async () => {
    const { id } = await directory.user("password@okta.org", { password: "pw-of-a-post" });
    const answers = [
      await directory.scim("PUT", `/Users/${id}`, { userName: "password@okta.org", password: "pw-of-a-put" }),
      await directory.patch(id, [{ op: "replace", value: { password: "pw-of-a-patch" } }]),
      await directory.patch(id, [{ op: "replace", path: "password", value: "pw-of-a-path" }]),
      await directory.scim("GET", `/Users/${id}?attributes=password,userName`),
    ];
    for (const answer of answers) expect([answer.status, answer.text.includes("pw-of")]).toEqual([200, false]);
    for (const table of ["scim_users", "subjects", "scim_requests", "audit_entries", "events"])
      expect([
        table,
        await sql(`SELECT 1 FROM ${table} t WHERE org_id = $1 AND t::text LIKE '%pw-of%'`, [w.orgId]),
      ]).toEqual([table, []]);
  });
});

describe("JumpCloud", () => {
  it("names attributes under the URN of their schema in filters, sorts and projections", async () => {
    const { id } = await directory.user("urn@jumpcloud.org", { title: "Clerk", [enterpriseUrn]: { department: "D1" } });
    expect(await idsOf(`${userUrn}:userName eq "URN@jumpcloud.org"`)).toEqual([id]);
    expect(await idsOf(`${enterpriseUrn}:department eq "d1"`)).toEqual([id]);
    expect(await idsOf(`${userUrn}:name.givenName pr or ${userUrn}:title eq "clerk"`)).toContain(id);
    const asked = `attributes=${userUrn}:title,${enterpriseUrn}:department&sortBy=${userUrn}:userName`;
    const { Resources } = (await directory.scim("GET", `/Users?${asked}&filter=id eq "${id}"`)).json<{
      Resources: object[];
    }>();
    expect(Resources).toEqual([
      { schemas: expect.any(Array), id, title: "Clerk", [enterpriseUrn]: { department: "D1" } },
    ]);
  });

  it("tests a connection with a user of its own, which it puts as inactive", async () => {
    const { id } = await directory.user("test@jumpcloud.org", { active: true });
    const put = await directory.scim("PUT", `/Users/${id}`, { userName: "test@jumpcloud.org", active: false });
    expect([put.status, put.json()]).toMatchObject([200, { active: false }]);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
  });
});

describe("Google", () => {
  it("gets core attributes at the top level, never under the URN under which it sends them", async () => {
    const { id } = await directory.user("nested@google.org", { [userUrn]: { title: "Engineer", nickName: "N" } });
    const told = (await directory.scim("GET", `/Users/${id}`)).json();
    expect(told).toMatchObject({ schemas: [userUrn], title: "Engineer", nickName: "N" });
    expect(told).not.toHaveProperty([userUrn]);
  });
});

describe("OneLogin", () => {
  it("searches by userName before it posts, and puts a user without an externalId", async () => {
    expect((await directory.find('userName eq "one@login.org"')).totalResults).toBe(0);
    const { id } = await directory.user("one@login.org", { name: { givenName: "One" } });
    expect(await idsOf('userName eq "one@login.org"')).toEqual([id]);
    const put = await directory.scim("PUT", `/Users/${id}`, {
      userName: "one@login.org",
      title: "Clerk",
      active: "true",
    });
    expect([put.status, put.json()]).toMatchObject([200, { id, title: "Clerk", active: true }]);
    expect(await directory.subject(id)).toMatchObject({ externalId: "one@login.org" });
  });
});

describe("authentik", () => {
  it("patches a whole resource without a path, with schemas, id and meta", async () => {
    const { id, meta } = await directory.user("whole@authentik.org");
    const value = { schemas: [userUrn], id, meta, userName: "whole@authentik.org", displayName: "Whole", active: true };
    expect(await send(id, [{ op: "replace", value }])).toMatchObject({ id, schemas: [userUrn], displayName: "Whole" });
  });
});

describe("any directory", () => {
  it("gives two people one e-mail address, and finds both by it", async () => {
    const emails = [{ value: "Shared@any.org", type: "work" }];
    const ids = [
      (await directory.user("first@any.org", { emails })).id,
      (await directory.user("second@any.org", { emails })).id,
    ];
    expect(await idsOf('emails.value eq "shared@any.org"')).toEqual(ids.toSorted());
    expect(await idsOf('emails[value eq "SHARED@any.org" and primary eq "False"]')).toEqual(ids.toSorted());
  });

  it("creates an inactive user", async () => {
    const { id } = await directory.user("asleep@any.org", { active: false });
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
  });

  it("changes nothing by a PATCH with one refused operation", async () => {
    const { id } = await directory.user("atomic@any.org", { title: "Before" });
    const refused = await directory.patch(id, [
      { op: "replace", path: "title", value: "After" },
      { op: "remove", path: "userName" },
    ]);
    expect([refused.status, refused.json()]).toMatchObject([400, { scimType: "mutability" }]);
    expect((await directory.scim("GET", `/Users/${id}`)).json()).toMatchObject({ title: "Before" });
  });
});
