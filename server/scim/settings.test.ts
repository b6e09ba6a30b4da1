import { describe, expect, it } from "vitest";
import { defaultScimMapping } from "@/server/connectors/scim-mapping";
import { readId } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { Directory } from "./testing/directory";
import { directory, errorOf, openDirectory, w } from "./testing/opened";

openDirectory();

describe("a connection", () => {
  it("describes itself", async () => {
    const types = (await directory.scim("GET", "/ResourceTypes")).json<{ Resources: { id: string }[] }>();
    const schemas = (await directory.scim("GET", "/Schemas")).json<{ Resources: { id: string }[] }>();
    expect(types.Resources.map(({ id }) => id)).toContain("User");
    for (const { id } of schemas.Resources)
      expect((await directory.scim("GET", `/Schemas/${id}`)).json()).toMatchObject({ id });
    expect((await directory.scim("GET", "/Schemas/urn:none")).status).toBe(404);
  });

  it("has two tokens during a rotation, and a deleted one no longer works", async () => {
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

  it("accepts a token until it expires, which then makes room for another, and none that ends in the past", async () => {
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

  it("creates at most two tokens in concurrent requests", async () => {
    const { id, key } = await Directory.open(w);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call("POST", `/v1/connectors/${id}/tokens`, { token: key, body: {} })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it("keeps its people, groups, members and removals separate from those of another connection", async () => {
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
    // Removals of one connection do not use up the limit of the other.
    for (const n of [0, 1]) await staff.patch(ofStaff.people[n]!.id, [{ op: "replace", path: "active", value: false }]);
    await students.patch(ofStudents.people[0]!.id, [{ op: "replace", path: "active", value: false }]);
    expect([await staff.staged(), await students.staged()].map(({ length }) => length)).toEqual([1, 0]);
    expect(await students.subject(ofStudents.people[0]!.id)).toMatchObject({ status: "inactive" });
    // This directory does not know a member of the other one.
    await staff.patchGroup(ofStaff.group.id, [{ op: "add", path: "members", value: [{ value: "student-1" }] }]);
    expect(await staff.applied(ofStaff.group.id)).toEqual(ofStaff.people.map(({ id }) => id).toSorted());
  });

  it("refuses a key without the scope scim", async () => {
    const scopeless = await call("GET", "/scim/v2/Users", { token: await w.key("events:read") });
    expect(errorOf(scopeless)).toEqual([403, "application/scim+json", "403", undefined]);
  });

  it("adopts nobody with adopt: never", async () => {
    const careful = await Directory.open(w, { adopt: "never" });
    await directory.rest("PUT", "/subjects", { externalId: "taken-elsewhere" });
    const made = await careful.scim("POST", "/Users", { userName: "x@example.org", externalId: "taken-elsewhere" });
    expect(errorOf(made)[3]).toBe("uniqueness");
  });

  it("refuses changes while it is paused but can be read, and never accepts files", async () => {
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

  it("refuses a mapping without a readable status, because nobody would be deactivated", async () => {
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

  it("is refused a token by anyone who may not write people", async () => {
    const writer = await w.key("connectors:write");
    const made = await call("POST", `/v1/connectors/${directory.id}/tokens`, { token: writer, body: {} });
    expect([made.status, made.json()["scope"]]).toEqual([403, "subjects:write"]);
  });

  it("can get higher limits only from a person who may approve what they would hold", async () => {
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

  it.each(["shoeSize", "password", "groups", "meta.created", "schemas"])(
    "refuses a mapping of %s, which is no attribute that a directory writes",
    async (path) => {
      const made = await directory.rest("POST", "/connectors", {
        name: "x",
        type: "scim",
        mapping: { ...defaultScimMapping, attributes: { shoe: path } },
      });
      expect([made.status, made.json()["detail"]]).toEqual([400, expect.stringContaining(path)]);
    },
  );
});
