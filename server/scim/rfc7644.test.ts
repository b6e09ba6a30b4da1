import { beforeAll, describe, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { enterpriseUrn, groupUrn, userUrn } from "./protocol/schemas";
import { Directory } from "./testing/directory";

interface Listed {
  schemas: string[];
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  scimType?: string;
  Resources: (Record<string, unknown> & { id: string; userName?: string; displayName?: string })[];
}

let w: World;
let directory: Directory;
beforeAll(async () => {
  w = await world();
  directory = await Directory.open(w);
});

const get = async (path: string, of = directory) => (await of.scim("GET", path)).json<Listed>();
const filtered = (filter: string, more = "") => `filter=${encodeURIComponent(filter)}${more}`;

describe("section 3.3, creating", () => {
  it("ignores a sent id and meta, and returns the requested attributes", async () => {
    const sent = {
      schemas: [userUrn],
      id: "mine",
      meta: { resourceType: "Group", created: "2001-01-01T00:00:00Z", version: "9" },
      userName: "projected@rfc.org",
      title: "Dr",
    };
    const some = await directory.scim("POST", "/Users?attributes=userName", sent);
    const { id } = some.json<{ id: string }>();
    expect([some.status, some.json()]).toEqual([201, { schemas: [userUrn], id, userName: "projected@rfc.org" }]);
    expect(id).toMatch(/^sub_/);
    expect((await directory.scim("GET", `/Users/${id}`)).json()).toMatchObject({
      meta: { resourceType: "User", version: 'W/"1"', created: expect.stringMatching(/^20[2-9]/) },
    });
    const group = await directory.scim("POST", "/Groups?excludedAttributes=meta,members", { displayName: "Projected" });
    expect(Object.keys(group.json())).toEqual(["schemas", "id", "displayName"]);
  });
});

describe("section 3.4.2, lists", () => {
  let sorted: Directory;
  beforeAll(async () => {
    sorted = await Directory.open(await world());
    const value = (text: string, more: object = {}) => ({ value: text, ...more });
    const people: [string, Record<string, unknown>][] = [
      [
        "a",
        {
          title: "z",
          emails: [value("m@x.org"), value("b@x.org", { primary: true })],
          [enterpriseUrn]: { department: "Y" },
        },
      ],
      ["b", { emails: [value("A@x.org"), value("z@x.org")] }],
      ["c", { title: "Y", [enterpriseUrn]: { department: "x" } }],
      ["d", { title: "x", emails: [value("c@x.org", { type: "work" })] }],
    ];
    for (const [userName, more] of people) await sorted.user(userName, more);
    for (const [name, externalId] of [
      ["G2", "k2"],
      ["G1", undefined],
      ["G3", "k1"],
    ] as const)
      await sorted.group(name, { externalId });
  });
  const users = async (query: string) =>
    (await get(`/Users?${query}`, sorted)).Resources.map(({ userName }) => userName);
  const groups = async (query: string) =>
    (await get(`/Groups?${query}`, sorted)).Resources.map(({ displayName }) => displayName);

  it("3.4.2.3: put resources without a value last in ascending order, and first in descending", async () => {
    expect(await users("sortBy=title")).toEqual(["d", "c", "a", "b"]);
    expect(await users("sortBy=title&sortOrder=descending")).toEqual(["b", "a", "c", "d"]);
    expect(await groups("sortBy=externalId")).toEqual(["G3", "G2", "G1"]);
    expect(await groups("sortBy=externalId&sortOrder=Descending")).toEqual(["G1", "G2", "G3"]);
    expect(await users(`sortBy=${enterpriseUrn}:department`)).toEqual(["c", "a", "b", "d"]);
  });

  it("3.4.2.3: are sorted by the primary value of a list, else by the first", async () => {
    expect(await users("sortBy=emails")).toEqual(["b", "a", "d", "c"]);
    expect(await users("sortBy=emails.value")).toEqual(["b", "a", "d", "c"]);
    expect(await users("sortBy=emails.type")).toEqual(["d", "a", "b", "c"]);
    for (const path of [
      "/Users?sortBy=name",
      "/Users?sortBy=groups",
      "/Users?sortBy=shoeSize",
      "/Groups?sortBy=members",
    ])
      expect([path, (await get(path, sorted)).scimType]).toEqual([path, "invalidPath"]);
  });

  it("3.4.2.4: treat a startIndex below 1 as 1, a negative count as none, and a large one as the maximum", async () => {
    for (const startIndex of [0, -5])
      expect(await get(`/Users?startIndex=${startIndex}`, sorted)).toMatchObject({ startIndex: 1, itemsPerPage: 4 });
    expect(await get("/Users?count=-1", sorted)).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] });
    expect(await get("/Groups?count=100000", sorted)).toMatchObject({ totalResults: 3, itemsPerPage: 3 });
    expect((await get("/Users?count=many", sorted)).scimType).toBe("invalidValue");
    // RFC 9865 has its own name for it if a cursor is used.
    expect((await get("/Users?cursor=&count=many", sorted)).scimType).toBe("invalidCount");
  });

  it("3.4.2.2: give `and` precedence over `or`, `not` over both, and grouping over all", async () => {
    const named = (filter: string) => users(filtered(filter, "&sortBy=userName"));
    expect(await named('userName eq "a" or userName eq "b" and title pr')).toEqual(["a"]);
    expect(await named('(userName eq "a" or userName eq "b") and title pr')).toEqual(["a"]);
    expect(await named('userName eq "d" or userName eq "b" and emails pr')).toEqual(["b", "d"]);
    expect(await named('not (title pr) and userName gt "a"')).toEqual(["b"]);
  });

  it("3.4.2.2: are filtered by every example of the RFC", async () => {
    const examples = await Directory.open(await world());
    await examples.user("bjensen", {
      name: { familyName: "O'Malley" },
      title: "Dr",
      userType: "Employee",
      emails: [{ value: "b@example.com", type: "work" }],
      [enterpriseUrn]: { department: "Tours" },
    });
    await examples.user("JSmith", {
      userType: "Intern",
      emails: [{ value: "j@elsewhere.net", type: "home" }],
      ims: [{ value: "j@foo.com", type: "xmpp" }],
    });
    const named = async (filter: string) =>
      (await get(`/Users?${filtered(filter)}`, examples)).Resources?.map(({ userName }) => userName);
    const [b, j] = ["bjensen", "JSmith"];
    for (const [filter, expected] of [
      ['userName eq "bjensen"', [b]],
      [`name.familyName co "O'Malley"`, [b]],
      ['userName sw "J"', [j]],
      [`${userUrn}:userName sw "J"`, [j]],
      ["title pr", [b]],
      ['meta.lastModified gt "2011-05-13T04:42:34Z"', [b, j]],
      ['meta.lastModified ge "2011-05-13T04:42:34Z"', [b, j]],
      ['meta.lastModified lt "2011-05-13T04:42:34Z"', []],
      ['meta.lastModified le "2011-05-13T04:42:34Z"', []],
      ['title pr and userType eq "Employee"', [b]],
      ['title pr or userType eq "Intern"', [b, j]],
      [`schemas eq "${enterpriseUrn}"`, [b]],
      ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', [b]],
      ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', [j]],
      ['userType eq "Employee" and (emails.type eq "work")', [b]],
      ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', [b]],
      ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', [b, j]],
    ] as const)
      expect([filter, await named(filter)]).toEqual([filter, expected]);
  });

  it("3.4.2.2: compare times, refuse ordering of attributes without an order, and find names in any case", async () => {
    const { meta } = (await get(`/Users?${filtered('userName eq "b"')}`, sorted)).Resources[0] as unknown as {
      meta: { lastModified: string };
    };
    const all = (filter: string) => get(`/Users?${filtered(filter)}`, sorted);
    expect((await all(`META.LASTMODIFIED ge "${meta.lastModified}" and userName eq "b"`)).totalResults).toBe(1);
    expect((await all(`meta.lastModified gt "2999-01-01T00:00:00Z"`)).totalResults).toBe(0);
    expect((await all(`meta.created lt "2999-01-01T00:00:00+02:00"`)).totalResults).toBe(4);
    for (const filter of [
      "active gt true",
      'x509Certificates.value gt "a"',
      'x509Certificates[value ge "a"]',
      'meta.created gt "yesterday"',
      'id gt "a"',
      "userName eq",
      'password eq "x"',
    ])
      expect([filter, (await all(filter)).scimType]).toEqual([filter, "invalidFilter"]);
  });

  it("are empty if nothing is found, which is not an error", async () => {
    const { schemas, totalResults, Resources } = await get(`/Groups?${filtered('displayName eq "none"')}`, sorted);
    expect([schemas, totalResults, Resources]).toEqual([["urn:ietf:params:scim:api:messages:2.0:ListResponse"], 0, []]);
  });
});

describe("section 3.4.3, searching", () => {
  it("3.4.2.1: an attribute that a kind of resource lacks has no value there", async () => {
    const own = await Directory.open(await world());
    await own.user("ada", { displayName: "Shared", [enterpriseUrn]: { department: "Maths" } });
    await own.user("bob");
    await own.group("Shared");
    await own.group("Other", { externalId: "o" });
    const names = async (filter: string) => {
      const answer = (await own.scim("POST", "/.search", { filter })).json<Listed>();
      return answer.scimType ?? answer.Resources.map(({ userName, displayName }) => userName ?? displayName);
    };
    expect(await names('userName eq "bob" or displayName eq "shared"')).toEqual(["ada", "bob", "Shared"]);
    expect(await names("not (userName pr)")).toEqual(["Shared", "Other"]);
    expect(await names('userName ne "ada"')).toEqual(["bob", "Shared", "Other"]);
    expect(await names("userName eq null and externalId pr")).toEqual(["Other"]);
    expect(await names('emails[type eq "work"] or members pr')).toEqual([]);
    expect(await names(`${enterpriseUrn}:department eq "maths" or ${groupUrn}:displayName eq "Other"`)).toEqual([
      "ada",
      "Other",
    ]);
    expect(await names('shoeSize eq "42" or displayName pr')).toBe("invalidFilter");
    expect(await names('members co "x" or userName pr')).toBe("invalidFilter");
  });

  it("3.4.2.3: sortBy and sortOrder in the body order users and groups together, at every endpoint", async () => {
    const own = await Directory.open(await world());
    const users = [];
    for (const [userName, displayName] of [
      ["u-1", "Delta"],
      ["u-2", "alpha"],
      ["u-3", "Charlie"],
      ["u-4", undefined],
    ] as const)
      users.push(await own.user(userName, { displayName, externalId: `k-${userName}` }));
    const groups = [];
    for (const displayName of ["bravo", "Charlie", "Echo"]) groups.push(await own.group(displayName));
    const nameOf = (each: Listed["Resources"][number]) => each.displayName ?? each.userName;
    const search = async (body: object, path = "/.search") => (await own.scim("POST", path, body)).json<Listed>();
    const names = async (body: object, path?: string) => (await search(body, path)).Resources.map(nameOf);
    const ascending = ["alpha", "bravo", "Charlie", "Charlie", "Delta", "Echo", "u-4"];
    expect(await names({ sortBy: "displayName" })).toEqual(ascending);
    expect(await names({ sortBy: "DisplayName", sortOrder: "descending" })).toEqual(ascending.toReversed());
    const page = await search({ sortBy: "displayName", startIndex: 3, count: 2 });
    expect(page).toMatchObject({ totalResults: 7, startIndex: 3, itemsPerPage: 2 });
    // With equal values, the user comes before the group.
    expect(page.Resources.map(({ userName }) => userName)).toEqual(["u-3", undefined]);
    expect(await names({ sortBy: "displayName", filter: 'displayName sw "c" or userName eq "u-1"' })).toEqual([
      "Charlie",
      "Charlie",
      "Delta",
    ]);
    // Groups have no userName: they come last in ascending order, and first in descending.
    expect(await names({ sortBy: "userName" })).toEqual([
      "Delta",
      "alpha",
      "Charlie",
      "u-4",
      "bravo",
      "Charlie",
      "Echo",
    ]);
    expect((await names({ sortBy: "userName", sortOrder: "descending" })).slice(3)).toEqual([
      "u-4",
      "Charlie",
      "alpha",
      "Delta",
    ]);
    const ids = (body: object) => search(body).then(({ Resources }) => Resources.map(({ id }) => id));
    const byId = [...users, ...groups].map(({ id }) => id).toSorted();
    expect(await ids({ sortBy: "id" })).toEqual(byId);
    expect(await ids({ sortBy: "id", sortOrder: "descending" })).toEqual(byId.toReversed());
    expect(await ids({ sortBy: "meta.created", count: 7 })).toEqual([...users, ...groups].map(({ id }) => id));
    expect(await names({ sortBy: "displayName", sortOrder: "descending" }, "/Groups/.search")).toEqual([
      "Echo",
      "Charlie",
      "bravo",
    ]);
    expect(await names({ sortBy: "displayName" }, "/Users/.search")).toEqual(["alpha", "Charlie", "Delta", "u-4"]);
    for (const sortBy of ["shoeSize", "members", "name"])
      expect([sortBy, (await search({ sortBy })).scimType]).toEqual([sortBy, "invalidPath"]);
  });
});

describe("section 3.5 and 3.6, changing", () => {
  it("3.5.1: a PUT creates nobody, and is accepted only with the present version", async () => {
    const missing = await directory.scim("PUT", "/Users/sub_00000000000000000000000000", { userName: "x@rfc.org" });
    expect(missing.status).toBe(404);
    const { id } = await directory.user("versions@rfc.org");
    const group = await directory.group("Versions");
    const put = (path: string, body: object, tag: string) => directory.scim("PUT", path, body, { "if-match": tag });
    for (const [path, body] of [
      [`/Users/${id}`, { userName: "versions@rfc.org", title: "Dr" }],
      [`/Groups/${group.id}`, { displayName: "Versions", externalId: "v" }],
    ] as const) {
      const done = await put(path, body, 'W/"1"');
      expect([done.status, done.headers.get("etag"), done.json()]).toMatchObject([
        200,
        'W/"2"',
        { meta: { version: 'W/"2"' } },
      ]);
      const stale = await put(path, { ...body, title: "Prof", externalId: "w" }, 'W/"1"');
      const { headers } = await directory.scim("GET", path);
      expect([stale.status, stale.headers.get("etag")]).toEqual([412, headers.get("etag")]);
      expect((await directory.scim("DELETE", path, undefined, { "if-match": 'W/"1"' })).status).toBe(412);
      expect((await directory.scim("DELETE", path, undefined, { "if-match": 'W/"2"' })).status).toBe(204);
    }
  });

  it("3.5.2.3: a replace of the values that a filter finds keeps nothing of them but what the filter says", async () => {
    const { id } = await directory.user("moved@rfc.org", {
      addresses: [
        { type: "work", formatted: "1 Old Street, London", streetAddress: "1 Old Street", locality: "London" },
        { type: "home", formatted: "At home" },
      ],
    });
    const replaced = await directory.patch(id, [
      { op: "replace", path: 'addresses[type eq "work"]', value: { streetAddress: "2 New Street" } },
    ]);
    expect(replaced.json()["addresses"]).toEqual([
      { type: "work", streetAddress: "2 New Street" },
      { type: "home", formatted: "At home" },
    ]);
    const added = await directory.patch(id, [
      { op: "add", path: 'addresses[type eq "work"]', value: { locality: "Bath" } },
    ]);
    expect(added.json()["addresses"]).toMatchObject([
      { type: "work", streetAddress: "2 New Street", locality: "Bath" },
      { type: "home" },
    ]);
  });

  it("3.5.2: a PATCH of a group answers 200 with the requested attributes, else 204", async () => {
    const { id } = await directory.user("member@rfc.org");
    const group = await directory.group("Patched");
    const patch = (query: string, displayName: string) =>
      directory.scim("PATCH", `/Groups/${group.id}${query}`, {
        Operations: [
          { op: "replace", path: "displayName", value: displayName },
          { op: "add", path: "members", value: [{ value: id }] },
        ],
      });
    const asked = await patch("?attributes=displayName,members.value", "Patched 1");
    expect([asked.status, asked.headers.get("etag"), asked.json()]).toEqual([
      200,
      'W/"2"',
      { schemas: [groupUrn], id: group.id, displayName: "Patched 1", members: [{ value: id }] },
    ]);
    const usual = await patch("", "Patched 2");
    expect([usual.status, usual.text, usual.headers.get("etag")]).toEqual([204, "", 'W/"3"']);
  });

  it("3.5.2: a PATCH that changes nothing does not change lastModified", async () => {
    const { id, meta } = await directory.user("unchanged@rfc.org", { title: "Dr" });
    const patched = await directory.patch(id, [{ op: "add", path: "title", value: "Dr" }]);
    expect(patched.json()).toMatchObject({ meta: meta as object });
  });
});

describe("section 3.9, projections", () => {
  it("keep id and schemas whatever is excluded, and can select parts of groups and users", async () => {
    const { id } = await directory.user("parts@rfc.org", {
      emails: [{ value: "p@rfc.org", type: "work" }],
      title: "Dr",
    });
    const group = await directory.group("Parts", { externalId: "parts", members: [{ value: id }] });
    expect(await get(`/Users/${id}?excludedAttributes=id,schemas,meta,groups,emails.type,title`)).toEqual({
      schemas: [userUrn],
      id,
      userName: "parts@rfc.org",
      active: true,
      emails: [{ value: "p@rfc.org" }],
    });
    expect(await get(`/Groups/${group.id}?attributes=MEMBERS.VALUE,externalId`)).toEqual({
      schemas: [groupUrn],
      id: group.id,
      externalId: "parts",
      members: [{ value: id }],
    });
    expect(await get(`/Groups/${group.id}?excludedAttributes=members.display,members.$ref,members.type,meta`)).toEqual({
      schemas: [groupUrn],
      id: group.id,
      displayName: "Parts",
      externalId: "parts",
      members: [{ value: id }],
    });
    const body = { filter: 'externalId eq "parts"', attributes: ["displayName"] };
    const found = (await directory.scim("POST", "/Groups/.search", body)).json<Listed>();
    expect(found.Resources).toEqual([{ schemas: [groupUrn], id: group.id, displayName: "Parts" }]);
  });
});

describe("section 3.11 to 3.14", () => {
  it("3.11: /Me is not implemented", async () => {
    for (const [method, path] of [
      ["GET", "/Me"],
      ["PATCH", "/Me"],
      ["GET", "/me/x"],
    ] as const) {
      const answer = await directory.scim(method, path, method === "PATCH" ? {} : undefined);
      expect([answer.status, answer.json()]).toMatchObject([501, { status: "501" }]);
    }
  });

  it("3.12: an invalid token is refused in the format of SCIM, with a challenge", async () => {
    const answer = await call("GET", "/scim/v2/Users", { token: "svc_sk_live_wrong" });
    expect([answer.status, answer.headers.get("content-type"), answer.json()]).toEqual([
      401,
      "application/scim+json",
      { schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"], status: "401", detail: expect.any(String) },
    ]);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  it("3.12: malformed JSON is invalidSyntax, and a body that is not a resource is refused", async () => {
    const post = (raw: string, type = "application/scim+json") =>
      call("POST", "/scim/v2/Users", { token: directory.token, raw, headers: { "content-type": type } });
    expect((await post("{")).json()).toMatchObject({ status: "400", scimType: "invalidSyntax" });
    for (const raw of ["[]", '"x"', "{}"]) expect((await post(raw)).json()).toMatchObject({ status: "400" });
    expect((await post('{"userName": "json@rfc.org"}', "application/json; charset=utf-8")).status).toBe(201);
    const form = await post("userName=x", "application/x-www-form-urlencoded");
    expect([form.status, form.headers.get("accept"), form.json()["detail"]]).toEqual([
      415,
      "application/scim+json",
      "Send the body as application/scim+json.",
    ]);
  });

  it("3.14: If-None-Match compares weakly, and accepts several versions or any", async () => {
    const { id } = await directory.user("etag@rfc.org");
    for (const [sent, status] of [
      ['W/"1"', 304],
      ['"1"', 304],
      ['W/"7", W/"1"', 304],
      ["*", 304],
      ['W/"2"', 200],
      ['W/"11"', 200],
    ] as const)
      expect([
        sent,
        (await directory.scim("GET", `/Users/${id}`, undefined, { "if-none-match": sent })).status,
      ]).toEqual([sent, status]);
  });
});

it("3.14: a user's ETag changes with its groups, and the old one still allows changing the user", async () => {
  const { id } = await directory.user("grouped@rfc.org");
  const read = async (sent = "") => {
    const answer = await directory.scim("GET", `/Users/${id}`, undefined, { "if-none-match": sent });
    return { status: answer.status, tag: answer.headers.get("etag")! };
  };
  const { id: group } = await directory.group("Versions", { externalId: "versions" });
  const member = { path: "members", value: [{ value: id }] };
  const tags = [(await read()).tag];
  for (const change of [
    () => directory.patchGroup(group, [{ op: "add", ...member }]),
    () => directory.patchGroup(group, [{ op: "replace", path: "displayName", value: "Renamed versions" }]),
    () => directory.patchGroup(group, [{ op: "remove", ...member }]),
  ]) {
    expect((await read(tags.at(-1))).status).toBe(304);
    expect((await change()).status).toBe(204);
    const after = await read(tags.at(-1));
    expect(after.status).toBe(200);
    tags.push(after.tag);
  }
  expect([new Set(tags).size, tags.at(-1)]).toEqual([3, tags[0]]);
  const version = async (path: string) => {
    const found = (await directory.scim("GET", path)).json<{ Resources: { meta: { version: string } }[] }>();
    return found.Resources.map(({ meta }) => meta.version);
  };
  await directory.patchGroup(group, [{ op: "add", ...member }]);
  const { tag } = await read();
  const filter = (text: string) => `/Users?filter=${encodeURIComponent(text)}`;
  expect(await version(filter(`meta.version eq ${JSON.stringify(tag)} and userName eq "grouped@rfc.org"`))).toEqual([
    tag,
  ]);
  expect(await version(`${filter('userName eq "grouped@rfc.org"')}&excludedAttributes=groups`)).toEqual([tag]);
  const [done] = (
    await directory.scim("POST", "/Bulk", {
      Operations: [{ method: "PATCH", path: `/Users/${id}`, data: { Operations: [] } }],
    })
  ).json<{ Operations: { version: string }[] }>().Operations;
  expect(done!.version).toBe(tag);
  const retitle = [{ op: "replace", path: "title", value: "Reader" }];
  expect((await directory.patch(id, retitle, { "if-match": tags[0]! })).status).toBe(200);
  expect((await directory.patch(id, retitle, { "if-match": tag })).status).toBe(412);
});

describe("section 4, descriptions of the service", () => {
  const lists = ["/Schemas", "/ResourceTypes"];

  it("lists resources with the attributes of RFC 7643 and no others", async () => {
    const known = new Set(
      "name type multiValued description required canonicalValues caseExact mutability returned uniqueness referenceTypes subAttributes".split(
        " ",
      ),
    );
    type Described = { name: string; type: string; referenceTypes?: string[]; subAttributes?: Described[] };
    const walk = (attributes: Described[]): void => {
      for (const each of attributes) {
        expect([each.name, Object.keys(each).filter((key) => !known.has(key))]).toEqual([each.name, []]);
        expect([each.name, each.type === "reference"]).toEqual([each.name, (each.referenceTypes?.length ?? 0) > 0]);
        walk(each.subAttributes ?? []);
      }
    };
    const [schemas, types] = await Promise.all(lists.map((path) => get(path)));
    expect(schemas).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 });
    expect(schemas!.Resources.map(({ id }) => id)).toEqual([userUrn, enterpriseUrn, groupUrn]);
    for (const { attributes, ...rest } of schemas!.Resources) {
      expect(Object.keys(rest).toSorted()).toEqual(["description", "id", "meta", "name", "schemas"]);
      walk(attributes as Described[]);
    }
    expect(types!.Resources).toMatchObject([
      {
        name: "User",
        endpoint: "/Users",
        schema: userUrn,
        schemaExtensions: [{ schema: enterpriseUrn, required: false }],
      },
      { name: "Group", endpoint: "/Groups", schema: groupUrn, schemaExtensions: [] },
    ]);
  });

  it("RFC 7643, section 5: tells how to authenticate without a token, and refuses an invalid token", async () => {
    const withToken = await directory.scim("GET", "/ServiceProviderConfig");
    const visitor = await call("GET", "/scim/v2/ServiceProviderConfig");
    expect([visitor.status, visitor.headers.get("content-type"), visitor.json()]).toEqual([
      200,
      "application/scim+json",
      withToken.json(),
    ]);
    const refused = [
      await call("GET", "/scim/v2/ServiceProviderConfig", { token: "invalid" }),
      await call("GET", `/scim/v2/ServiceProviderConfig?${filtered('id eq "x"')}`),
      ...(await Promise.all(lists.map((path) => call("GET", `/scim/v2${path}`)))),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 401, 401]);
  });

  it("announces the supported features", async () => {
    expect(await get("/ServiceProviderConfig")).toMatchObject({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
      patch: { supported: true },
      bulk: { supported: true, maxOperations: 500, maxPayloadSize: 10 * 1024 * 1024 },
      filter: { supported: true, maxResults: 1000 },
      changePassword: { supported: false },
      sort: { supported: true },
      etag: { supported: true },
      authenticationSchemes: [{ type: "oauthbearertoken", primary: true }],
      meta: { resourceType: "ServiceProviderConfig" },
    });
  });

  it("refuses a filter with 403, and ignores sorting and paging", async () => {
    for (const path of [...lists, "/ServiceProviderConfig", "/ResourceTypes/User", `/Schemas/${groupUrn}`]) {
      const refused = await directory.scim("GET", `${path}?${filtered('name eq "User"')}`);
      expect([path, refused.status, refused.json()["status"]]).toEqual([path, 403, "403"]);
      const usual = await directory.scim("GET", path);
      const paged = await directory.scim("GET", `${path}?sortBy=id&startIndex=2&count=1&attributes=id`);
      expect([path, paged.status, paged.json()]).toEqual([path, 200, usual.json()]);
    }
  });
});
