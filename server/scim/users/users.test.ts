import { beforeAll, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { readId } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { enterpriseUrn } from "../protocol/schemas";
import { Directory } from "../testing/directory";

let w: World;
let directory: Directory;
beforeAll(async () => {
  w = await world();
  directory = await Directory.open(w);
});

const errorOf = ({ status, headers, json }: Awaited<ReturnType<typeof call>>) => {
  const { scimType, ...body } = json();
  return [status, headers.get("content-type"), body["status"], scimType];
};

describe("a base URL that was entered with a slash at its end", () => {
  it("serves the same resources", async () => {
    const made = await directory.scim("POST", "//Users", { userName: "slash@example.org" });
    const { id } = made.json<{ id: string }>();
    expect([made.status, made.headers.get("location")]).toEqual([201, expect.stringMatching(`/scim/v2/Users/${id}$`)]);
    for (const path of ["/Users/", "//Users", "//Users/", `//Users/${id}`, `/Users//${id}/`, "//ServiceProviderConfig"])
      expect([path, (await directory.scim("GET", path)).status]).toEqual([path, 200]);
    const changed = await directory.scim("PATCH", `//Users/${id}`, {
      Operations: [{ op: "add", path: "title", value: "Dr" }],
    });
    expect(changed.json()).toMatchObject({ id, title: "Dr" });
    expect((await directory.scim("DELETE", `//Users/${id}`)).status).toBe(204);
    expect((await directory.scim("GET", "//Nothing")).status).toBe(404);
  });
});

it("names the userName where that is too long for the key of a person", async () => {
  const userName = "x".repeat(300);
  const detail = expect.stringMatching(/^userName has more than 255 characters/);
  const refused = { status: "400", scimType: "invalidValue", detail };
  expect((await directory.scim("POST", "/Users", { userName })).json()).toMatchObject(refused);
  const { id } = await directory.user("short@example.org");
  expect((await directory.scim("PUT", `/Users/${id}`, { userName })).json()).toMatchObject(refused);
  expect((await directory.patch(id, [{ op: "replace", path: "userName", value: userName }])).json()).toMatchObject(
    refused,
  );
  expect((await directory.patch(id, [{ op: "replace", value: { userName, externalId: "short" } }])).status).toBe(200);
  await directory.scim("DELETE", `/Users/${id}`);
});

describe("a user", () => {
  it("is created as a person, and answered with its address and ETag", async () => {
    const sent = {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", enterpriseUrn],
      userName: "Ada@example.org",
      externalId: "e-1",
      name: { givenName: "Ada", familyName: "Lovelace" },
      emails: [{ value: "ada@example.org", type: "work", primary: true }],
      active: true,
      password: "hunter2",
      [enterpriseUrn]: { department: "Mathematics" },
    };
    const made = await directory.scim("POST", "/Users", sent);
    const body = made.json<{ id: string }>();
    const location = `http://localhost:3000/scim/v2/Users/${body.id}`;
    expect([made.status, made.headers.get("content-type"), made.headers.get("etag")]).toEqual([
      201,
      "application/scim+json",
      'W/"1"',
    ]);
    const { password: _, ...kept } = sent;
    expect(body).toEqual({
      ...kept,
      id: expect.stringMatching(/^sub_/),
      meta: {
        resourceType: "User",
        created: expect.any(String),
        lastModified: expect.any(String),
        location: expect.stringContaining(`/scim/v2/Users/${body.id}`),
        version: 'W/"1"',
      },
    });
    expect(made.headers.get("location")).toContain(new URL(location).pathname);
    expect(await directory.subject(body.id)).toMatchObject({
      id: body.id,
      externalId: "e-1",
      displayName: "Ada Lovelace",
      email: "ada@example.org",
      status: "active",
      attributes: { givenName: "Ada", familyName: "Lovelace", department: "Mathematics", userName: "Ada@example.org" },
      sources: [{ type: "scim", id: directory.id }],
    });
    expect((await directory.scim("GET", `/Users/${body.id}`)).json()).toEqual(body);
    const stored = await sql(`SELECT resource::text FROM scim_users WHERE org_id = $1`, [w.orgId]);
    expect(JSON.stringify(stored)).not.toContain("hunter2");
  });

  it("is refused twice, by userName without regard to case, and by externalId", async () => {
    await directory.user("twice@example.org", { externalId: "twice" });
    expect(errorOf(await directory.scim("POST", "/Users", { userName: "TWICE@example.org" }))).toEqual([
      409,
      "application/scim+json",
      "409",
      "uniqueness",
    ]);
    expect(
      errorOf(await directory.scim("POST", "/Users", { userName: "other@example.org", externalId: "twice" }))[3],
    ).toBe("uniqueness");
  });

  it("is created once by requests at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        directory.scim("POST", "/Users", { userName: "race@example.org", externalId: "race" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
  });

  it("is replaced by PUT, and keeps active where that is left out", async () => {
    const { id } = await directory.user("put@example.org", { title: "Clerk", nickName: "P", active: false });
    const put = await directory.scim("PUT", `/Users/${id}`, { userName: "put@example.org", title: "Head clerk" });
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining({ title: "Head clerk", active: false })]);
    expect(put.json()).not.toHaveProperty("nickName");
    expect(await directory.subject(id)).toMatchObject({ status: "inactive", attributes: { title: "Head clerk" } });
  });

  it("takes out of the person what the directory wrote and removed, and nothing else", async () => {
    const { id } = await directory.user("clear@example.org", { title: "Clerk" });
    await directory.rest("PATCH", `/subjects/${id}`, { attributes: { department: "By hand" } });
    await directory.patch(id, [{ op: "remove", path: "title" }]);
    const { attributes } = await directory.subject(id);
    expect(attributes).toEqual({ userName: "clear@example.org", department: "By hand" });
  });

  it("has at most 64 KiB", async () => {
    const { id } = await directory.user("large@example.org");
    const add = (n: number) =>
      directory.patch(id, [{ op: "add", path: `urn:scim:custom:1.0:T:b${n}`, value: "x".repeat(40_000) }]);
    expect((await add(0)).status).toBe(200);
    expect(errorOf(await add(1))).toEqual([400, "application/scim+json", "400", "invalidValue"]);
  });

  it("changes nothing by a PATCH that changes nothing", async () => {
    const { id } = await directory.user("same@example.org", { title: "Clerk" });
    const before = (await eventsOf(w.orgId)).length;
    const patched = await directory.patch(id, [{ op: "replace", path: "title", value: "Clerk" }]);
    expect([patched.status, patched.headers.get("etag")]).toEqual([200, 'W/"1"']);
    expect((await eventsOf(w.orgId)).length).toBe(before);
  });

  it("is not changed by a stale If-Match", async () => {
    const { id } = await directory.user("stale@example.org");
    await directory.patch(id, [{ op: "replace", path: "title", value: "A" }], { "if-match": 'W/"1"' });
    const stale = await directory.patch(id, [{ op: "replace", path: "title", value: "B" }], { "if-match": 'W/"1"' });
    expect(errorOf(stale)).toEqual([412, "application/scim+json", "412", undefined]);
    const current = await directory.scim("GET", `/Users/${id}`, undefined, { "if-none-match": 'W/"2"' });
    expect(current.status).toBe(304);
  });

  it("keeps its id and its person when its externalId changes", async () => {
    const { id } = await directory.user("rekey@example.org", { externalId: "old-key" });
    await directory.patch(id, [{ op: "replace", path: "externalId", value: "new-key" }]);
    expect(await directory.subject(id)).toMatchObject({ id, externalId: "new-key" });
    expect((await directory.find('externalId eq "new-key"')).Resources.map((each) => each.id)).toEqual([id]);
    expect((await directory.find('externalId eq "old-key"')).totalResults).toBe(0);
    const other = await directory.user("other-key@example.org", { externalId: "other-key" });
    expect(errorOf(await directory.patch(other.id, [{ op: "replace", path: "externalId", value: "new-key" }]))[3]).toBe(
      "uniqueness",
    );
  });

  it("is deactivated and hidden by DELETE, and restored by POST as the same person", async () => {
    const { ctx } = w;
    const { id } = await directory.user("gone@example.org", { externalId: "gone" });
    await issueCredential(ctx, { subject: { id }, templateId: (await publishedTemplate(ctx)).id });
    expect((await directory.scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await directory.scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await directory.scim("DELETE", `/Users/${id}`)).status).toBe(404);
    expect((await directory.find('userName eq "gone@example.org"')).totalResults).toBe(0);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive", sources: expect.anything() });
    expect(await directory.user("gone@example.org", { externalId: "gone" })).toMatchObject({ id, active: true });
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
  });

  it("stays active when deleted, while another source has them", async () => {
    await directory.rest("PUT", "/subjects", { externalId: "shared", displayName: "Shared" });
    const { id } = await directory.user("shared@example.org", { externalId: "shared" });
    await directory.scim("DELETE", `/Users/${id}`);
    expect(await directory.subject(id)).toMatchObject({ status: "active", displayName: "Shared" });
    expect((await auditOf(w.orgId)).at(-1)).toBe("scim_user.deleted");
  });

  it("is renamed and deactivated where the new userName was that of a deleted user", async () => {
    const gone = await directory.user("was-bob@example.org");
    const ann = await directory.user("was-ann@example.org");
    expect((await directory.scim("DELETE", `/Users/${gone.id}`)).status).toBe(204);
    const put = (more: object) =>
      directory.scim("PUT", `/Users/${ann.id}`, { userName: "was-bob@example.org", ...more });
    expect([(await put({ active: false })).status, (await put({ title: "Dr", active: false })).status]).toEqual([
      200, 200,
    ]);
    expect(await directory.subject(ann.id)).toMatchObject({ status: "inactive", externalId: "was-ann@example.org" });
    expect((await directory.subject(gone.id))["externalId"]).toBe("was-bob@example.org");
  });

  it("is a new person where a userName is given to somebody else", async () => {
    const first = await directory.user("reused@example.org", { externalId: "first" });
    await directory.scim("DELETE", `/Users/${first.id}`);
    const second = await directory.user("reused@example.org", { externalId: "second" });
    expect(second.id).not.toBe(first.id);
  });

  it("stays inactive where a person here deactivated them, until the directory changes active itself", async () => {
    const { id } = await directory.user("held@example.org", { externalId: "held" });
    await directory.rest("PATCH", `/subjects/${id}`, { status: "inactive" });
    await directory.patch(id, [{ op: "replace", path: "title", value: "Dean" }]);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive", attributes: { title: "Dean" } });
    for (const value of [false, true]) await directory.patch(id, [{ op: "replace", path: "active", value }]);
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
  });

  it("is deactivated once no source has them active any more", async () => {
    const other = await Directory.open(w);
    const { id } = await directory.user("both@example.org", { externalId: "both" });
    await other.user("both@example.org", { externalId: "both" });
    const set = (which: Directory, value: boolean) => which.patch(id, [{ op: "replace", path: "active", value }]);
    const status = async () => (await directory.subject(id))["status"];
    await set(other, false);
    expect(await status()).toBe("active");
    await set(directory, false);
    expect(await status()).toBe("inactive");
    // The other one keeps nobody active any more, so a DELETE ends them too.
    await set(directory, true);
    expect(await status()).toBe("active");
    await directory.scim("DELETE", `/Users/${id}`);
    expect(await status()).toBe("inactive");
  });

  it("stays active while the API provides them, until the API deactivates them itself", async () => {
    await directory.rest("PUT", "/subjects", { externalId: "of-the-api" });
    const { id } = await directory.user("api@example.org", { externalId: "of-the-api" });
    const set = (value: boolean) => directory.patch(id, [{ op: "replace", path: "active", value }]);
    await set(false);
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
    await directory.rest("PATCH", `/subjects/${id}`, { status: "inactive" });
    await set(true);
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
    await set(false);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
  });

  it("is decided by the connection with the lower number where two say their status", async () => {
    const first = await Directory.open(w, { priority: 1 });
    const { id } = await directory.user("ranked@example.org", { externalId: "ranked" });
    await first.user("ranked@example.org", { externalId: "ranked" });
    await first.patch(id, [{ op: "replace", path: "active", value: false }]);
    expect(await first.subject(id)).toMatchObject({ status: "inactive" });
  });

  it("is deactivated and corrected where a new mapping cannot read what was written before", async () => {
    const strict = await Directory.open(w);
    const mapping = {
      externalId: "externalId",
      status: { from: "active", transform: "trim", values: { true: "active", false: "inactive" } },
    };
    const { id } = await strict.user("mapped@example.org", { externalId: "mapped", title: "Dr" });
    const lvl = { from: "title", transform: "trim", decimal: "." };
    const changed = await strict.rest("PATCH", `/connectors/${strict.id}`, {
      mapping: { ...mapping, attributes: { lvl } },
    });
    expect(changed.status).toBe(200);
    const renamed = await strict.patch(id, [{ op: "replace", path: "nickName", value: "M" }]);
    expect(renamed.status).toBe(200);
    expect(errorOf(await strict.patch(id, [{ op: "replace", path: "title", value: "Prof" }]))[3]).toBe("invalidValue");
    expect((await strict.patch(id, [{ op: "replace", value: { active: false, title: "Prof" } }])).status).toBe(200);
    expect(await strict.subject(id)).toMatchObject({ status: "inactive" });
    await strict.scim("DELETE", `/Users/${id}`);
    expect(await strict.user("mapped@example.org", { externalId: "mapped", title: "Prof" })).toMatchObject({ id });
    expect((await strict.patch(id, [{ op: "replace", path: "title", value: "7" }])).status).toBe(200);
    expect(await strict.subject(id)).toMatchObject({ status: "active", attributes: { lvl: 7 } });
  });

  it("keeps the external id under which another source knows them", async () => {
    await directory.rest("PUT", "/subjects", { externalId: "e-known" });
    const { id } = await directory.user("known@example.org", { externalId: "e-known" });
    const patched = await directory.patch(id, [{ op: "replace", path: "externalId", value: "evil" }]);
    expect(patched.json()).toMatchObject({ externalId: "evil" });
    const put = await directory.rest("PUT", "/subjects", { externalId: "e-known", displayName: "Known" });
    expect([put.status, put.json()["id"]]).toEqual([200, id]);
    expect((await directory.find('externalId eq "evil"')).Resources.map((each) => each.id)).toEqual([id]);
  });

  it("is not written again after an erasure in another case, or with less", async () => {
    const other = await Directory.open(w);
    const named = await directory.user("Nil@example.org");
    const numbered = await directory.user("number@example.org", { externalId: "number" });
    for (const { id } of [named, numbered]) await eraseSubject(w.ctx, { id, reason: "asked" });
    for (const each of [directory, other])
      for (const body of [
        { userName: "NIL@example.org" },
        { userName: "Number@example.org" },
        { userName: "nil@example.org", externalId: "late" },
      ])
        expect(errorOf(await each.scim("POST", "/Users", body))[3]).toBe("uniqueness");
    expect(
      await sql(`SELECT 1 FROM scim_users WHERE org_id = $1 AND user_key LIKE 'n%@example.org'`, [w.orgId]),
    ).toEqual([]);
    // Somebody else may get the userName.
    await directory.user("number@example.org", { externalId: "another" });
  });

  it("is one person of two connections that write the userName in two cases, and of the API", async () => {
    const other = await Directory.open(w);
    const { id } = await directory.user("Case@example.org");
    expect(await other.user("cASE@example.org")).toMatchObject({ id });
    const made = await directory.rest("PUT", "/subjects", { externalId: "Exact@example.org" });
    expect(await directory.user("Exact@example.org")).toMatchObject({ id: made.json()["id"] });
  });

  it("is restored by a POST that says more or less than before", async () => {
    const own = await Directory.open(w);
    const more = await own.user("more@example.org");
    await own.scim("DELETE", `/Users/${more.id}`);
    expect(await own.user("MORE@example.org", { externalId: "more" })).toMatchObject({ id: more.id });
    const less = await own.user("less@example.org", { externalId: "less" });
    await own.scim("DELETE", `/Users/${less.id}`);
    expect(await own.user("less@example.org")).toMatchObject({ id: less.id });
    expect(await own.subject(less.id)).toMatchObject({ externalId: "less", status: "active" });
    expect((await own.patch(less.id, [{ op: "replace", path: "title", value: "T" }])).status).toBe(200);
    await own.scim("DELETE", `/Users/${less.id}`);
    expect(await own.user("less@example.org", { externalId: "less" })).toMatchObject({ id: less.id });
  });

  it("is changed while they are erased or deleted here, and neither waits for the other", async () => {
    for (let round = 0; round < 6; round++) {
      const { id } = await directory.user(`lock-${round}@example.org`, { externalId: `lock-${round}` });
      const end = () =>
        round % 2 === 0
          ? directory.rest("POST", `/subjects/${id}/erase`, { reason: "asked" })
          : directory.rest("DELETE", `/subjects/${id}`);
      const answers = await Promise.all([
        ...[1, 2, 3].map((n) => directory.patch(id, [{ op: "replace", path: "title", value: `T${n}` }])),
        end(),
        ...[4, 5, 6].map((n) => directory.patch(id, [{ op: "replace", path: "title", value: `T${n}` }])),
      ]);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    }
  });

  it("is not written again after an erasure", async () => {
    const { id } = await directory.user("erased@example.org", { externalId: "erased" });
    await eraseSubject(w.ctx, { id, reason: "asked" });
    expect((await directory.scim("GET", `/Users/${id}`)).status).toBe(404);
    expect(
      errorOf(await directory.scim("POST", "/Users", { userName: "erased@example.org", externalId: "erased" })),
    ).toEqual([409, "application/scim+json", "409", "uniqueness"]);
    const left = await sql(
      `SELECT 1 FROM scim_users WHERE org_id = $1 AND resource::text LIKE '%erased@example.org%'`,
      [w.orgId],
    );
    expect(left).toEqual([]);
  });
});

describe("a user as providers send it", () => {
  it("Okta: posts somebody again whom it deactivated, to restore them", async () => {
    const { id } = await directory.user("okta@example.org", { externalId: "00u1" });
    await directory.scim("PUT", `/Users/${id}`, {
      id,
      userName: "okta@example.org",
      externalId: "00u1",
      active: false,
      groups: [],
    });
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
    const again = await directory.scim("POST", "/Users", {
      userName: "okta@example.org",
      externalId: "00u1",
      active: true,
    });
    expect([again.status, again.json()]).toEqual([201, expect.objectContaining({ id, active: true })]);
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
  });

  it("Microsoft's collection: posts active as a text", async () => {
    expect(await directory.user("collection@example.org", { active: "True" })).toMatchObject({ active: true });
    expect(await directory.user("inactive@example.org", { active: "false" })).toMatchObject({ active: false });
  });

  it("Microsoft's collection: asks for /serviceConfiguration", async () => {
    const [one, other] = await Promise.all(
      ["/serviceConfiguration", "/ServiceProviderConfig"].map((path) => directory.scim("GET", path)),
    );
    expect([one!.status, one!.json()]).toEqual([200, other!.json()]);
  });

  it("Entra: finds by a work address, and is told what it wrote", async () => {
    const { id } = await directory.user("entra@example.org");
    const patched = await directory.patch(id, [
      { op: "Add", path: 'emails[type eq "work"].value', value: "Entra@Example.org" },
      { op: "Replace", path: "active", value: "False" },
    ]);
    expect(patched.json()).toMatchObject({ active: false, emails: [{ type: "work", value: "Entra@Example.org" }] });
    for (const filter of ['emails[type eq "work"].value eq "entra@example.org"', 'emails.value eq "entra@example.org"'])
      expect((await directory.find(filter)).Resources.map((each) => each.id)).toEqual([id]);
    expect((await directory.find('emails[type eq "home"].value eq "entra@example.org"')).totalResults).toBe(0);
  });

  it("JumpCloud: asks without quotes, and in another case", async () => {
    const { id } = await directory.user("jyoung@example.org", { externalId: "jyoung" });
    expect((await directory.find("externalId eq jyoung")).Resources.map((each) => each.id)).toEqual([id]);
    expect((await directory.find('USERNAME Eq "JYoung@example.org"')).Resources.map((each) => each.id)).toEqual([id]);
  });

  it("Google: nests core attributes under the URN of their schema, and deletes without deactivating first", async () => {
    const made = await directory.scim("POST", "/Users", {
      userName: "google@example.org",
      "urn:ietf:params:scim:schemas:core:2.0:User": { title: "Engineer" },
    });
    const { id } = made.json<{ id: string }>();
    expect(made.json()).toMatchObject({ title: "Engineer" });
    const deleted = await call("DELETE", `/scim/v2/Users/${id}`, {
      token: directory.token,
      raw: "",
      headers: { "content-type": "application/scim+json" },
    });
    expect(deleted.status).toBe(204);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
  });
});

describe("a list of users", () => {
  let listed: Directory;
  beforeAll(async () => {
    listed = await Directory.open(w);
    for (const name of ["b", "a", "c"]) await listed.user(`${name}@list.org`, { name: { familyName: name } });
  });
  const list = async (query: string) =>
    (await listed.scim("GET", `/Users?${query}`)).json<{
      totalResults: number;
      startIndex: number;
      itemsPerPage: number;
      Resources: { userName: string }[];
    }>();
  const names = async (query: string) => (await list(query)).Resources.map(({ userName }) => userName[0]);

  it("has the people of its connection alone", async () => {
    expect(await list("")).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 });
    const { id } = await directory.user("elsewhere@example.org");
    expect((await listed.scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await listed.patch(id, [{ op: "replace", path: "active", value: false }])).status).toBe(404);
    const other = await Directory.open(await world());
    expect((await other.scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await other.scim("DELETE", `/Users/${id}`)).status).toBe(404);
  });

  it("Okta, Entra: has pages by startIndex and count, also none and one past the end", async () => {
    expect(await names("startIndex=1&count=2")).toHaveLength(2);
    expect(await names("startIndex=3&count=2")).toHaveLength(1);
    expect(await list("count=0")).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await list("startIndex=50")).toMatchObject({ totalResults: 3, startIndex: 50, Resources: [] });
    expect((await listed.scim("GET", "/Users?count=many")).status).toBe(400);
  });

  it("is sorted by an attribute", async () => {
    expect(await names("sortBy=userName")).toEqual(["a", "b", "c"]);
    expect(await names("sortBy=name.familyName&sortOrder=descending")).toEqual(["c", "b", "a"]);
  });

  it("has the attributes that are asked for", async () => {
    const [only] = (await list("attributes=userName,name.familyName&sortBy=userName")).Resources;
    expect(only).toEqual({
      schemas: expect.any(Array),
      id: expect.any(String),
      userName: "a@list.org",
      name: { familyName: "a" },
    });
    const [without] = (await list("excludedAttributes=name,meta&sortBy=userName")).Resources;
    expect(Object.keys(without!)).not.toContain("name");
    expect(Object.keys(without!)).toContain("userName");
  });

  it("is asked for by POST .search too", async () => {
    const found = await listed.scim("POST", "/Users/.search", { filter: 'userName sw "b"', count: 5 });
    expect([found.status, found.json()]).toEqual([200, expect.objectContaining({ totalResults: 1 })]);
  });

  it.each(['userName eq "\\u0000"', 'externalId eq "\\ud800"', "userName eq \0"])(
    "is refused with a filter that no text in the database can meet: %j",
    async (filter) => {
      expect(errorOf(await listed.scim("GET", `/Users?filter=${encodeURIComponent(filter)}`))[0]).toBe(400);
      const { id } = (await listed.find('userName eq "a@list.org"')).Resources[0]!;
      const patched = await listed.patch(id, [
        {
          op: "add",
          path: `emails[${filter.replace(/^\w+/, "type").replaceAll("\0", "")}].value`,
          value: "x@list.org",
        },
      ]);
      expect(patched.status).toBe(400);
    },
  );

  it("is refused with a filter that is not supported", async () => {
    expect(errorOf(await listed.scim("GET", `/Users?filter=${encodeURIComponent('shoeSize eq "42"')}`))).toEqual([
      400,
      "application/scim+json",
      "400",
      "invalidFilter",
    ]);
  });
});

describe("a connection", () => {
  it("describes itself", async () => {
    const types = (await directory.scim("GET", "/ResourceTypes")).json<{ Resources: { id: string }[] }>();
    const schemas = (await directory.scim("GET", "/Schemas")).json<{ Resources: { id: string }[] }>();
    expect(types.Resources.map(({ id }) => id)).toContain("User");
    for (const { id } of schemas.Resources)
      expect((await directory.scim("GET", `/Schemas/${id}`)).json()).toMatchObject({ id });
    expect((await directory.scim("GET", "/Schemas/urn:none")).status).toBe(404);
  });

  it("has two tokens while one is rotated, and none that was deleted works", async () => {
    const { id, key, token } = await Directory.open(w);
    const tokens = (method: string, path = "", body?: object) =>
      call(method, `/v1/connectors/${id}/tokens${path}`, { token: key, ...(body && { body }) });
    const second = (await tokens("POST", "", {})).json<{ secret: string; expiresAt: null }>();
    expect(second.expiresAt).toBeNull();
    const third = await tokens("POST", "", {});
    expect([third.status, third.json()["code"]]).toEqual([409, "too_many_secrets"]);
    const { data } = (await tokens("GET")).json<{ data: { id: string; lastFour: string }[] }>();
    const old = data.find(({ lastFour }) => lastFour === token.slice(-4))!;
    expect((await tokens("DELETE", `/${old.id}`)).status).toBe(204);
    expect((await tokens("DELETE", `/${old.id}`)).status).toBe(404);
    const status = async (secret: string) => (await call("GET", "/scim/v2/Users", { token: secret })).status;
    expect([await status(token), await status(second.secret)]).toEqual([401, 200]);
    await call("DELETE", `/v1/connectors/${id}`, { token: key });
    expect(await status(second.secret)).toBe(401);
  });

  it("takes a token until it expires, which then makes room for another, and none that ends in the past", async () => {
    const { id, key } = await Directory.open(w);
    const tokens = (method: string, body?: object) =>
      call(method, `/v1/connectors/${id}/tokens`, { token: key, ...(body && { body }) });
    const past = await tokens("POST", { expiresAt: "2020-01-01T00:00:00Z" });
    expect([past.status, past.json()]).toMatchObject([400, { errors: [{ pointer: "/expiresAt" }] }]);
    const second = (await tokens("POST", { expiresAt: "2999-01-01T00:00:00Z" })).json<{ secret: string; id: string }>();
    const status = async () => (await call("GET", "/scim/v2/Users", { token: second.secret })).status;
    expect([await status(), (await tokens("POST", {})).status]).toEqual([200, 409]);
    await sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE org_id = $1 AND id = $2`, [
      w.orgId,
      readId("key", second.id),
    ]);
    expect([await status(), (await tokens("POST", {})).status]).toEqual([401, 201]);
  });

  it("makes two tokens at most of requests at once", async () => {
    const { id, key } = await Directory.open(w);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call("POST", `/v1/connectors/${id}/tokens`, { token: key, body: {} })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it("keeps its people, groups, members and removals apart from another one of the organisation", async () => {
    const own = await world();
    const limits = { deactivations: 1, deactivationPercent: 0 };
    const [staff, students] = [await Directory.open(own, { limits }), await Directory.open(own, { limits })];
    const fill = async (directory: Directory, name: string) => {
      const people = [];
      for (const n of [1, 2, 3])
        people.push(await directory.user(`${name}-${n}@two.org`, { externalId: `${name}-${n}` }));
      // Both have a group of this name and externalId.
      const members = people.map(({ id: value }) => ({ value }));
      return { people, group: await directory.group("Everybody", { externalId: "everybody", members }) };
    };
    const [ofStaff, ofStudents] = [await fill(staff, "staff"), await fill(students, "student")];
    for (const [directory, { people, group }] of [
      [staff, ofStaff],
      [students, ofStudents],
    ] as const) {
      const { Resources } = (await directory.scim("GET", "/Users")).json<{ Resources: { id: string }[] }>();
      expect(Resources.map(({ id }) => id)).toEqual(people.map(({ id }) => id));
      expect(await directory.applied(group.id)).toEqual(people.map(({ id }) => id).toSorted());
    }
    expect(ofStaff.group.id).not.toBe(ofStudents.group.id);
    // The limit of one is not used up by the other.
    for (const n of [0, 1]) await staff.patch(ofStaff.people[n]!.id, [{ op: "replace", path: "active", value: false }]);
    await students.patch(ofStudents.people[0]!.id, [{ op: "replace", path: "active", value: false }]);
    expect([await staff.staged(), await students.staged()].map(({ length }) => length)).toEqual([1, 0]);
    expect(await students.subject(ofStudents.people[0]!.id)).toMatchObject({ status: "inactive" });
    // A member of the other directory is nobody whom this one knows.
    await staff.patchGroup(ofStaff.group.id, [{ op: "add", path: "members", value: [{ value: "student-1" }] }]);
    expect(await staff.applied(ofStaff.group.id)).toEqual(ofStaff.people.map(({ id }) => id).toSorted());
  });

  it("refuses a key without the scope scim", async () => {
    const scopeless = await call("GET", "/scim/v2/Users", { token: await w.key("events:read") });
    expect(errorOf(scopeless)).toEqual([403, "application/scim+json", "403", undefined]);
  });

  it("takes nobody over under adopt: never", async () => {
    const careful = await Directory.open(w, { adopt: "never" });
    await directory.rest("PUT", "/subjects", { externalId: "taken-elsewhere" });
    const made = await careful.scim("POST", "/Users", { userName: "x@example.org", externalId: "taken-elsewhere" });
    expect(errorOf(made)[3]).toBe("uniqueness");
  });

  it("takes no change while it is paused but can be read, and takes no file ever", async () => {
    const paused = await Directory.open(w);
    const there = await paused.user("there@example.org");
    await paused.rest("PATCH", `/connectors/${paused.id}`, { status: "paused" });
    for (const path of ["/Users", `/Users/${there.id}`, "/Groups"])
      expect((await paused.scim("GET", path)).status).toBe(200);
    expect((await paused.scim("POST", "/Users/.search", {})).status).toBe(200);
    expect((await paused.scim("POST", "/Users", { userName: "new" })).status).toBe(403);
    expect((await paused.patch(there.id, [{ op: "replace", path: "active", value: false }])).status).toBe(403);
    expect((await paused.scim("DELETE", `/Users/${there.id}`)).status).toBe(403);
    const upload = await call("POST", `/v1/connectors/${paused.id}/upload`, {
      token: await w.key(),
      raw: "id\n1\n",
      headers: { "content-type": "text/csv" },
    });
    expect(upload.status).toBe(409);
  });

  it("refuses a mapping without a status that can be read, since nobody would be deactivated", async () => {
    const save = (mapping: object, type = "scim") =>
      directory.rest("POST", "/connectors", { name: "x", type, mapping: { externalId: "externalId", ...mapping } });
    const pointerOf = ({ status, json }: Awaited<ReturnType<typeof save>>) => [
      status,
      json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer,
    ];
    expect(pointerOf(await save({}))).toEqual([400, "/mapping/status"]);
    const weird = { status: { transform: "constant", value: "weird" } };
    for (const type of ["scim", "csv"])
      expect(pointerOf(await save(weird, type))).toEqual([400, "/mapping/status/value"]);
    const values = { status: { from: "active", transform: "trim", values: { true: "active", false: "gone" } } };
    expect(pointerOf(await save(values))).toEqual([400, "/mapping/status/values"]);
    for (const from of ["active", "Active", "urn:ietf:params:scim:schemas:core:2.0:User:active"])
      for (const status of [
        from,
        { from, transform: "lower" },
        { transform: "template", template: `{${from}}` },
        ...[{}, { true: "active" }, { true: "active", false: "active" }, { true: "active", false: "" }].map(
          (values) => ({ from, transform: "trim", values }),
        ),
      ])
        expect([status, ...pointerOf(await save({ status }))]).toEqual([status, 400, "/mapping/status"]);
    const active = "urn:ietf:params:scim:schemas:core:2.0:User:Active";
    const translated = { from: active, transform: "trim", values: { true: "active", false: "inactive" } };
    expect((await save({ status: translated })).status).toBe(201);
    expect(pointerOf(await save({ status: { from: "x", transform: "trim", decimal: "." } }, "csv"))).toEqual([
      400,
      "/mapping/status",
    ]);
    expect((await save({ status: { transform: "constant", value: "active" } }, "csv")).status).toBe(201);
  });

  it("gets a token from nobody who may not write people", async () => {
    const writer = await w.key("connectors:write");
    const made = await call("POST", `/v1/connectors/${directory.id}/tokens`, { token: writer, body: {} });
    expect([made.status, made.json()["scope"]]).toEqual([403, "subjects:write"]);
  });

  it("gets higher limits only from who may approve what they would hold back", async () => {
    const writer = await w.key("connectors:write", "connectors:read");
    const { id } = await Directory.open(w);
    const change = (limits: object) => call("PATCH", `/v1/connectors/${id}`, { token: writer, body: { limits } });
    for (const limits of [
      { deactivations: 11, deactivationPercent: 10 },
      { deactivations: 0, deactivationPercent: 11 },
    ]) {
      const refused = await change(limits);
      expect([refused.status, refused.json()["scope"]]).toEqual([403, "connectors:approve"]);
      const made = await call("POST", "/v1/connectors", { token: writer, body: { name: "x", type: "scim", limits } });
      expect(made.status).toBe(403);
    }
    expect((await change({ deactivations: 1, deactivationPercent: 1 })).status).toBe(200);
    expect((await change({ deactivations: 2, deactivationPercent: 1 })).status).toBe(403);
  });

  it("refuses a mapping of what is no attribute", async () => {
    const made = await directory.rest("POST", "/connectors", {
      name: "x",
      type: "scim",
      mapping: { externalId: "externalId", attributes: { shoe: "shoeSize" } },
    });
    expect([made.status, made.json()["detail"]]).toEqual([400, expect.stringContaining("shoeSize")]);
  });
});
