import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { Directory } from "@/server/scim/testing/directory";

let directory: Directory;
beforeAll(async () => {
  directory = await Directory.open(await world());
});

interface Outcome {
  method: string;
  status: string;
  bulkId?: string;
  location?: string;
  version?: string;
  response?: { scimType?: string };
}

const bulk = async (Operations: unknown, more: object = {}) =>
  directory.scim("POST", "/Bulk", {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],
    Operations,
    ...more,
  });
const outcomes = async (...given: Parameters<typeof bulk>) =>
  (await bulk(...given)).json<{ Operations: Outcome[] }>().Operations;
const user = (name: string, more: object = {}) => ({
  method: "POST",
  path: "/Users",
  bulkId: name,
  data: { userName: `${name}@bulk.org`, externalId: name, ...more },
});
const idIn = (outcome: Outcome | undefined) => outcome!.location!.split("/").at(-1)!;

describe("POST /Bulk", () => {
  it("does operations one after another, and answers each separately", async () => {
    const made = await bulk([user("one"), user("one-again", { userName: "ONE@bulk.org" })]);
    expect([made.status, made.headers.get("content-type"), made.json()]).toEqual([
      200,
      "application/scim+json",
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkResponse"],
        Operations: [
          {
            method: "POST",
            bulkId: "one",
            status: "201",
            version: 'W/"1"',
            location: expect.stringMatching(/\/scim\/v2\/Users\/sub_/),
          },
          {
            method: "POST",
            bulkId: "one-again",
            status: "409",
            response: expect.objectContaining({ scimType: "uniqueness", status: "409" }),
          },
        ],
      },
    ]);
    const id = idIn(made.json<{ Operations: Outcome[] }>().Operations[0]);
    const rest = await outcomes([
      { method: "PUT", path: `/Users/${id}`, data: { userName: "one@bulk.org", externalId: "one", title: "Clerk" } },
      {
        method: "patch",
        path: `/Users/${id}`,
        data: { Operations: [{ op: "replace", path: "title", value: "Head" }] },
      },
      { method: "PATCH", path: `/Users/${id}`, version: 'W/"1"', data: { Operations: [] } },
      { method: "DELETE", path: `/Users/${id}` },
      { method: "DELETE", path: `/Users/${id}` },
    ]);
    expect(rest.map(({ status }) => status)).toEqual(["200", "200", "412", "204", "404"]);
  });

  it("puts ids in the place of bulkIds, also of operations that come later", async () => {
    const group = {
      method: "POST",
      path: "/Groups",
      bulkId: "team",
      data: { displayName: "Team", members: [{ value: "bulkId:ada" }, { value: "bulkId:grace" }] },
    };
    const rename = {
      method: "PATCH",
      path: "/Groups/bulkId:team",
      data: { Operations: [{ op: "replace", path: "displayName", value: "Team, renamed" }] },
    };
    const done = await outcomes([rename, group, user("ada"), user("grace")]);
    expect(done.map(({ status, bulkId }) => [status, bulkId])).toEqual([
      ["204", undefined],
      ["201", "team"],
      ["201", "ada"],
      ["201", "grace"],
    ]);
    expect(await directory.applied(idIn(done[1]))).toEqual([idIn(done[2]), idIn(done[3])].toSorted());
    expect((await directory.rest("GET", `/groups/${idIn(done[1])}`)).json()).toMatchObject({ name: "Team, renamed" });
  });

  const manager = (of: string) => ({
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { manager: { value: `bulkId:${of}` } },
  });
  const managerOf = async (outcome: Outcome | undefined) =>
    (await directory.scim("GET", `/Users/${idIn(outcome)}`)).json<Record<string, { manager?: { value: string } }>>()[
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
    ]?.manager?.value;

  it("refuses operations that refer to a failed one or to none", async () => {
    const done = await outcomes([
      user("failed", { userName: "" }),
      user("of-failed", manager("failed")),
      user("of-none", manager("nobody")),
    ]);
    expect(done.map(({ status }) => status)).toEqual(["400", "409", "400"]);
  });

  it("resolves references of users to each other and to themselves, and returns the version afterwards", async () => {
    const done = await outcomes([
      user("circle-a", manager("circle-b")),
      user("circle-b", manager("circle-c")),
      user("circle-c", manager("circle-a")),
      user("own", manager("own")),
    ]);
    expect(done.map(({ status, version }) => [status, version])).toEqual([
      ["201", 'W/"1"'],
      ["201", 'W/"1"'],
      ["201", 'W/"2"'],
      ["201", 'W/"2"'],
    ]);
    const [a, b, c, own] = done.map(idIn);
    expect(await Promise.all(done.map(managerOf))).toEqual([b, c, a, own]);
  });

  it("resolves references of groups to each other, which wait as members, because groups cannot be members here", async () => {
    const group = (name: string, ...members: string[]) => ({
      method: "POST",
      path: "/Groups",
      bulkId: name,
      data: { displayName: name, members: members.map((each) => ({ value: `bulkId:${each}` })) },
    });
    const done = await outcomes([group("ring-a", "ring-b", "ringed"), group("ring-b", "ring-a"), user("ringed")]);
    expect(done.map(({ status }) => status)).toEqual(["201", "201", "201"]);
    const [a, b, ringed] = done.map(idIn);
    expect(await directory.members(a!)).toEqual([b, ringed].toSorted());
    expect(await directory.members(b!)).toEqual([a]);
    expect(await directory.applied(a!)).toEqual([ringed]);
  });

  it("names the resource of a cycle that was created without its reference when the cycle fails", async () => {
    const done = await outcomes([
      user("half-a", { ...manager("half-b"), userName: "" }),
      user("half-b", manager("half-a")),
    ]);
    expect(done).toMatchObject([
      { status: "400" },
      { status: "409", location: expect.stringContaining("/Users/sub_") },
    ]);
    expect(done[1]).not.toHaveProperty("version");
    expect(await managerOf(done[1])).toBeUndefined();
  });

  it("names existing resources by id, and replaces bulkIds in values of a PATCH and a PUT", async () => {
    const { id } = await directory.group("By id");
    const there = await directory.user("there@bulk.org");
    const done = await outcomes([
      {
        method: "PATCH",
        path: `/Groups/${id}`,
        data: { Operations: [{ op: "add", path: "members", value: [{ value: "bulkId:fresh" }, { value: there.id }] }] },
      },
      user("fresh"),
      {
        method: "PUT",
        path: "/Users/bulkId:fresh",
        data: { userName: "fresh@bulk.org", externalId: "fresh", ...manager("fresh") },
      },
      { method: "DELETE", path: "/Users/bulkId:gone" },
      user("gone"),
    ]);
    expect(done.map(({ status }) => status)).toEqual(["204", "201", "200", "204", "201"]);
    expect(await directory.applied(id)).toEqual([idIn(done[1]), there.id].toSorted());
    expect(await managerOf(done[1])).toBe(idIn(done[1]));
    expect((await directory.find('externalId eq "gone"')).totalResults).toBe(0);
  });

  it("3.7: returns the address of each resource, also of failed operations except a failed POST", async () => {
    const base = `${env().PUBLIC_URL}/scim/v2`;
    const { id } = await directory.user("located@bulk.org");
    const remove = (path: string) => ({ method: "DELETE", path });
    const done = await outcomes([
      { ...remove(`/users/${id}`), version: 'W/"7"' },
      { method: "PATCH", path: `/USERS/${id}`, data: { Operations: [{ op: "replace", path: "title", value: "Dr" }] } },
      { method: "PUT", path: "/Users/no body", data: { userName: "x" } },
      user("placed"),
      { ...remove("/Users/bulkId:placed"), version: 'W/"7"' },
      user("refused", { userName: "" }),
      { method: "PATCH", path: "/Groups/bulkId:refused", data: { Operations: [] } },
      remove("Users"),
      remove(`/groups/grp_none`),
      remove(`/users/${id}`),
    ]);
    expect(done.map(({ status, location }) => [status, location])).toEqual([
      ["412", `${base}/Users/${id}`],
      ["200", `${base}/Users/${id}`],
      ["404", `${base}/Users/no%20body`],
      ["201", expect.stringMatching(/^https?:.*\/scim\/v2\/Users\/sub_/)],
      ["412", done[3]!.location],
      ["400", undefined],
      ["409", `${base}/Groups/bulkId%3Arefused`],
      ["400", `${base}/Users`],
      ["404", `${base}/Groups/grp_none`],
      ["204", `${base}/Users/${id}`],
    ]);
  });

  it("stops after failOnErrors failures and skips the rest", async () => {
    const wrong = { method: "DELETE", path: "/Users/none" };
    expect(await outcomes([wrong, user("kept"), wrong, user("left-out")], { failOnErrors: 2 })).toHaveLength(3);
    expect((await directory.find('externalId eq "left-out"')).totalResults).toBe(0);
    expect((await directory.find('externalId eq "kept"')).totalResults).toBe(1);
  });

  it("has the limits that /ServiceProviderConfig states", async () => {
    const { bulk: limits } = (await directory.scim("GET", "/ServiceProviderConfig")).json<{
      bulk: { supported: boolean; maxOperations: number; maxPayloadSize: number };
    }>();
    expect(limits.supported).toBe(true);
    const wrong = { method: "GET", path: "/Users" };
    expect((await bulk(Array(limits.maxOperations + 1).fill(wrong))).status).toBe(413);
    expect((await bulk(Array(limits.maxOperations).fill(wrong), { failOnErrors: 1 })).status).toBe(200);
    expect((await bulk([{ ...wrong, data: "x".repeat(limits.maxPayloadSize) }])).status).toBe(413);
  });

  it("refuses a POST without a bulkId, and does the others (RFC 7644 section 3.7)", async () => {
    const { bulkId: _, ...nameless } = user("nameless");
    const done = await outcomes([nameless, user("named")]);
    expect(done).toMatchObject([
      { method: "POST", status: "400", response: { scimType: "invalidSyntax" } },
      { bulkId: "named", status: "201" },
    ]);
  });

  it("refuses a body that is not a bulk request", async () => {
    const refusals = [undefined, {}, [1]].map(async (operations) => (await bulk(operations)).json()["scimType"]);
    expect(await Promise.all(refusals)).toEqual(["invalidSyntax", "invalidSyntax", "invalidSyntax"]);
    expect((await bulk([user("same"), user("same")])).json()).toMatchObject({ scimType: "invalidValue" });
    expect((await bulk([], { failOnErrors: 0 })).json()).toMatchObject({ scimType: "invalidValue" });
  });

  it("answers any operations with 2xx or 4xx", { timeout: 60_000 }, async () => {
    const word = fc.constantFrom("Users", "Groups", "constructor", "__proto__", "bulkId:a", "%E0%A4%A", "", "Me");
    const operation = fc.record(
      {
        method: fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "GET", "", 7),
        path: fc.array(word, { maxLength: 3 }).map((parts) => `/${parts.join("/")}`),
        bulkId: fc.constantFrom("a", "b", null, 1),
        version: fc.constantFrom("x", 'W/"1"', 1),
        data: fc.oneof(fc.jsonValue(), fc.constant({ userName: "bulkId:a" }), fc.constant({ displayName: "bulkId:b" })),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 4 }), async (operations) => {
        const answer = await bulk(operations);
        expect(answer.status).toBeLessThan(500);
        for (const { status } of answer.json<{ Operations?: Outcome[] }>().Operations ?? [])
          expect(Number(status)).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
  });
});

describe("POST /.search", () => {
  let found: Directory;
  beforeAll(async () => {
    found = await Directory.open(await world());
    for (const name of ["a", "b"]) await found.user(`${name}@search.org`, { displayName: "Shared" });
    await found.group("Shared");
    await found.group("Other");
  });
  const search = async (body: object) => {
    const answer = await found.scim("POST", "/.search", body);
    return answer.json<{
      totalResults: number;
      scimType?: string;
      Resources: { meta: { resourceType: string } }[];
    }>();
  };
  const kinds = async (body: object) => (await search(body)).Resources.map(({ meta }) => meta.resourceType);

  it("finds users and groups by one filter, in pages over both", async () => {
    expect(await kinds({ filter: 'displayName eq "shared"' })).toEqual(["User", "User", "Group"]);
    expect(await kinds({ startIndex: 2, count: 2 })).toEqual(["User", "Group"]);
    expect(await search({ startIndex: 4, count: 5 })).toMatchObject({
      totalResults: 4,
      itemsPerPage: 1,
      startIndex: 4,
    });
    expect(await search({ count: 0 })).toMatchObject({ totalResults: 4, Resources: [] });
  });

  it("refuses a filter that is not a string, and lists nobody", async () => {
    expect(await search({ filter: 5 })).toMatchObject({ status: "400", scimType: "invalidFilter" });
  });

  it("finds no resources of a kind that lacks the attribute, and refuses an attribute that no kind has", async () => {
    expect(await kinds({ filter: 'userName sw "a"' })).toEqual(["User"]);
    expect(await kinds({ filter: 'meta.resourceType eq "Group"' })).toEqual(["Group", "Group"]);
    expect(await search({ filter: 'shoeSize eq "42"' })).toMatchObject({ scimType: "invalidFilter" });
  });
});

it("refuses other methods and paths of /scim as RFC 7644 writes errors", async () => {
  const send = (method: string, path: string) => call(method, path, { token: directory.token });
  for (const [method, path, status] of [
    ["PUT", "/scim/v2/Users", 405],
    ["DELETE", "/scim/v2/ServiceProviderConfig", 405],
    ["OPTIONS", "/scim/v2/Groups", 405],
    ["GET", "/scim/v2/Bulk", 405],
    ["GET", "/scim/v2/Devices", 404],
    ["GET", "/scim", 404],
    ["GET", "/SCIM/v2/Users", 404],
  ] as const) {
    const answer = await send(method, path);
    expect([path, answer.status, answer.headers.get("content-type"), answer.json()]).toEqual([
      path,
      status,
      "application/scim+json",
      {
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: String(status),
        detail: expect.any(String),
      },
    ]);
    if (status === 405) expect(answer.headers.get("allow")).toBeTruthy();
  }
  expect((await send("GET", "/SCIM/v2/Users")).json<{ detail: string }>().detail).toBe(
    "There is no /SCIM/v2/Users here. SCIM is at /scim/v2, in lower case.",
  );
});
