import { describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { enterpriseUrn } from "../protocol/schemas";
import { Directory } from "../testing/directory";
import { directory, errorOf, openDirectory, w } from "../testing/opened";

openDirectory();

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

it("names the userName in the error if it is too long for the key of a person", async () => {
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
  it("is created as a person, and returned with its address and ETag", async () => {
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

  it("is refused a second time, by userName ignoring case, and by externalId", async () => {
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

  it("is created once by concurrent requests", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        directory.scim("POST", "/Users", { userName: "race@example.org", externalId: "race" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
  });

  it("is replaced by PUT, and keeps active if that is omitted", async () => {
    const { id } = await directory.user("put@example.org", { title: "Clerk", nickName: "P", active: false });
    const put = await directory.scim("PUT", `/Users/${id}`, { userName: "put@example.org", title: "Head clerk" });
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining({ title: "Head clerk", active: false })]);
    expect(put.json()).not.toHaveProperty("nickName");
    expect(await directory.subject(id)).toMatchObject({ status: "inactive", attributes: { title: "Head clerk" } });
  });

  it("removes from the person what the directory wrote and then removed, and nothing else", async () => {
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

  it("is not changed with an outdated If-Match", async () => {
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

  it("is renamed and deactivated if the new userName was that of a deleted user", async () => {
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

  it("is a new person if a userName is given to somebody else", async () => {
    const first = await directory.user("reused@example.org", { externalId: "first" });
    await directory.scim("DELETE", `/Users/${first.id}`);
    const second = await directory.user("reused@example.org", { externalId: "second" });
    expect(second.id).not.toBe(first.id);
  });

  it("stays inactive if a person here deactivated them, until the directory itself changes active", async () => {
    const { id } = await directory.user("held@example.org", { externalId: "held" });
    await directory.rest("PATCH", `/subjects/${id}`, { status: "inactive" });
    await directory.patch(id, [{ op: "replace", path: "title", value: "Dean" }]);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive", attributes: { title: "Dean" } });
    for (const value of [false, true]) await directory.patch(id, [{ op: "replace", path: "active", value }]);
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
  });

  it("is deactivated once no source keeps them active", async () => {
    const other = await Directory.open(w);
    const { id } = await directory.user("both@example.org", { externalId: "both" });
    await other.user("both@example.org", { externalId: "both" });
    const set = (which: Directory, value: boolean) => which.patch(id, [{ op: "replace", path: "active", value }]);
    const status = async () => (await directory.subject(id))["status"];
    await set(other, false);
    expect(await status()).toBe("active");
    await set(directory, false);
    expect(await status()).toBe("inactive");
    // The other connection no longer keeps anybody active, so a DELETE ends them too.
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

  it("has the status of the connection with the lower number if two state it", async () => {
    const first = await Directory.open(w, { priority: 1 });
    const { id } = await directory.user("ranked@example.org", { externalId: "ranked" });
    await first.user("ranked@example.org", { externalId: "ranked" });
    await first.patch(id, [{ op: "replace", path: "active", value: false }]);
    expect(await first.subject(id)).toMatchObject({ status: "inactive" });
  });

  it("is deactivated and corrected if a new mapping cannot read what was written before", async () => {
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

  it("is not created again after an erasure, in another case or with fewer fields", async () => {
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

  it("is one person of two connections that write the userName in different cases, and of the API", async () => {
    const other = await Directory.open(w);
    const { id } = await directory.user("Case@example.org");
    expect(await other.user("cASE@example.org")).toMatchObject({ id });
    const made = await directory.rest("PUT", "/subjects", { externalId: "Exact@example.org" });
    expect(await directory.user("Exact@example.org")).toMatchObject({ id: made.json()["id"] });
  });

  it("is restored by a POST with more or fewer fields than before", async () => {
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

  it("can be changed while they are erased or deleted here, without a deadlock", async () => {
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

  it("is not created again after an erasure", async () => {
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
