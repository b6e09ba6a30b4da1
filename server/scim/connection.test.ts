import { beforeAll, describe, expect, it } from "vitest";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { Directory } from "./testing/directory";

let w: World;
let token: string;
let key: string;
const scim = (method: string, path: string, body?: object) =>
  call(method, `/scim/v2${path}`, { token, ...(body && { body }) });
const rest = (method: string, path: string, body?: object) =>
  call(method, `/v1${path}`, { token: key, ...(body && { body }) });
const upsert = async (externalId: string, more: object = {}) =>
  (await rest("PUT", "/subjects", { externalId, ...more })).json<{ id: string }>().id;
const find = async (filter: string) =>
  (await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`))
    .json<{ Resources: { id: string }[] }>()
    .Resources.map(({ id }) => id);
const subject = async (id: string) => (await rest("GET", `/subjects/${id}`)).json();

beforeAll(async () => {
  w = await world();
  token = await w.key("scim");
  key = await w.key();
});

describe("a key with the scope scim that belongs to no connection", () => {
  it("uses the default connection, which concurrent requests create once", async () => {
    const fresh = await world();
    const both = [await fresh.key("scim"), await fresh.key()];
    const answers = await Promise.all(
      both.flatMap((each) => [1, 2, 3].map(() => call("GET", "/scim/v2/Users", { token: each }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const made = (await call("GET", "/v1/connectors", { token: both[1]! })).json<{ data: { isDefault: boolean }[] }>();
    expect(made.data).toMatchObject([{ name: "Default SCIM connection", type: "scim", isDefault: true }]);
    expect((await auditOf(fresh.orgId)).filter((action) => action === "connector.created")).toHaveLength(1);
  });

  it("creates the connection again after a deletion, and is refused changes while it is paused", async () => {
    const fresh = await world();
    const [its, api] = [await fresh.key("scim"), await fresh.key()];
    const status = async () => (await call("GET", "/scim/v2/Users", { token: its })).status;
    const connectors = async () =>
      (await call("GET", "/v1/connectors", { token: api })).json<{ data: { id: string }[] }>().data;
    expect(await status()).toBe(200);
    const [{ id } = { id: "" }] = await connectors();
    await call("PATCH", `/v1/connectors/${id}`, { token: api, body: { status: "paused" } });
    const change = await call("POST", "/scim/v2/Users", { token: its, body: { userName: "new@example.org" } });
    expect([change.status, await status()]).toEqual([403, 200]);
    await call("DELETE", `/v1/connectors/${id}`, { token: api });
    expect(await status()).toBe(200);
    expect((await connectors()).map((each) => each.id === id)).toEqual([false]);
  });

  it("does not get the default connection if its own connection was deleted after the request was authenticated", async () => {
    const fresh = await world();
    const directory = await Directory.open(fresh);
    await directory.rest("PUT", "/subjects", { externalId: "of-everybody" });
    await directory.rest("DELETE", `/connectors/${directory.id}`);
    await sql(`UPDATE api_keys SET revoked_at = NULL WHERE org_id = $1 AND connector_id IS NOT NULL`, [fresh.orgId]);
    expect((await directory.scim("GET", "/Users")).status).toBe(404);
  });

  it("can be a client of OAuth", async () => {
    const fresh = await world();
    const client = await createOAuthClient(fresh.ctx, { name: "Provisioner", scopes: ["scim"] });
    const issued = await call("POST", "/oauth/token", {
      raw: `grant_type=client_credentials&client_id=${client.clientId}&client_secret=${client.clientSecret}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const made = await call("POST", "/scim/v2/Users", {
      token: issued.json<{ access_token: string }>().access_token,
      body: { userName: "ada@example.org" },
    });
    expect(made.status).toBe(201);
  });
});

describe("the default connection", () => {
  it("shows everybody: people that the API created, that a directory pushed, and that it created itself", async () => {
    const apart = await world();
    [token, key] = [await apart.key("scim"), await apart.key()];
    const directory = await Directory.open(apart);
    const ids = [
      await upsert("api-1", { displayName: "Ada Lovelace", email: "Ada@Example.org" }),
      (await directory.user("grace@example.org", { externalId: "grace" })).id,
      (await scim("POST", "/Users", { userName: "alan@example.org" })).json<{ id: string }>().id,
    ];
    const listed = (await scim("GET", "/Users")).json<{ totalResults: number; Resources: { id: string }[] }>();
    expect([listed.totalResults, listed.Resources.map(({ id }) => id)]).toEqual([3, ids.toSorted()]);
    expect((await scim("GET", `/Users/${ids[0]}`)).json()).toMatchObject({
      userName: "api-1",
      externalId: "api-1",
      displayName: "Ada Lovelace",
      active: true,
      emails: [{ value: "Ada@Example.org" }],
    });
    for (const filter of [
      'userName eq "API-1"',
      'externalId eq "api-1"',
      'emails.value eq "ada@example.org"',
      'emails[type eq "work"].value eq "ada@example.org"',
      'displayName co "lovelace"',
      `id eq "${ids[0]}"`,
    ])
      expect([filter, await find(filter)]).toEqual([filter, [ids[0]]]);
    expect(await find('externalId eq "grace" or userName eq "alan@example.org"')).toEqual([ids[1], ids[2]]);
    let cursor: string | undefined = "";
    const followed: string[] = [];
    while (cursor !== undefined) {
      const page: { nextCursor?: string; Resources: { id: string }[] } = (
        await scim("GET", `/Users?count=1&cursor=${encodeURIComponent(cursor)}`)
      ).json();
      followed.push(...page.Resources.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(followed).toEqual(ids.toSorted());
    expect((await directory.find('externalId eq "api-1"')).totalResults).toBe(0);
  });

  it("changes people that the API created, even against the API, and gives them a group", async () => {
    const id = await upsert("api-2", { displayName: "Before", email: "b@example.org" });
    const tag = (await scim("GET", `/Users/${id}`)).headers.get("etag")!;
    const patched = await scim("PATCH", `/Users/${id}`, {
      Operations: [{ op: "replace", value: { displayName: "After", title: "Professor", active: "False" } }],
    });
    expect([patched.status, patched.json()]).toEqual([200, expect.objectContaining({ displayName: "After" })]);
    expect(patched.headers.get("etag")).not.toBe(tag);
    expect(await subject(id)).toMatchObject({
      externalId: "api-2",
      displayName: "After",
      email: "b@example.org",
      status: "inactive",
      attributes: { title: "Professor" },
    });
    const group = (await scim("POST", "/Groups", { displayName: "Staff", members: [{ value: id }] })).json<{
      id: string;
    }>();
    expect((await rest("GET", `/groups/${group.id}/members`)).json()).toMatchObject({ data: [{ subjectId: id }] });
    const byKey = await upsert("api-3");
    await scim("PATCH", `/Groups/${group.id}`, {
      Operations: [{ op: "add", path: "members", value: [{ value: "api-3" }] }],
    });
    expect((await scim("GET", `/Groups/${group.id}`)).json()).toMatchObject({
      members: [{ value: id }, { value: byKey }],
    });
  });

  it("renames and deletes people that the API created, and a POST restores them", async () => {
    const id = await upsert("api-4");
    await scim("PATCH", `/Users/${id}`, { Operations: [{ op: "replace", path: "externalId", value: "api-4b" }] });
    expect(await subject(id)).toMatchObject({ externalId: "api-4b" });
    expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect(await subject(id)).toMatchObject({ status: "inactive" });
    expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
    const again = await scim("POST", "/Users", { userName: "x@example.org", externalId: "api-4b" });
    expect([again.status, again.json()["id"]]).toEqual([201, id]);
    expect(await subject(id)).toMatchObject({ status: "active" });
  });

  it("refuses to create a person that it shows already, and restores an inactive one", async () => {
    const id = await upsert("api-5");
    const refused = await scim("POST", "/Users", { userName: "five@example.org", externalId: "api-5" });
    expect([refused.status, refused.json()["scimType"]]).toEqual([409, "uniqueness"]);
    await rest("PATCH", `/subjects/${id}`, { status: "inactive" });
    const restored = await scim("POST", "/Users", { userName: "five@example.org", externalId: "api-5" });
    expect([restored.status, restored.json()["id"]]).toEqual([201, id]);
    expect(await subject(id)).toMatchObject({ status: "active" });
  });

  it("is not changed with an outdated If-Match of a person whom the API changed since", async () => {
    const id = await upsert("api-6");
    const tag = (await scim("GET", `/Users/${id}`)).headers.get("etag")!;
    await upsert("api-6", { displayName: "Changed" });
    const stale = await call("PATCH", `/scim/v2/Users/${id}`, {
      token,
      body: { Operations: [{ op: "replace", path: "title", value: "Dr" }] },
      headers: { "if-match": tag },
    });
    expect(stale.status).toBe(412);
  });

  it("reaches nobody of another organisation, and no erased person", async () => {
    const other = await world();
    const stranger = (
      await call("PUT", "/v1/subjects", { token: await other.key(), body: { externalId: "stranger" } })
    ).json<{ id: string }>().id;
    expect((await scim("GET", `/Users/${stranger}`)).status).toBe(404);
    expect(await find('externalId eq "stranger"')).toEqual([]);
    const id = await upsert("api-7");
    await rest("POST", `/subjects/${id}/erase`, { reason: "asked" });
    expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
    expect(await find('externalId eq "api-7"')).toEqual([]);
  });
});
