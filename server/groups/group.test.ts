import { describe, expect, it } from "vitest";
import { newPublicId } from "@/server/core/ids";
import { upsertSubject } from "@/server/subjects/upsert";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { addGroupMembers } from "./add-members";
import { createGroup } from "./create";
import { deleteGroup } from "./delete";
import { updateGroup } from "./update";

const active = { field: "status", op: "eq", value: "active" };

describe("POST /v1/groups", () => {
  it("creates a static group, and a rule group with the people who match its rule", async () => {
    const { ctx, key } = await world();
    const token = await key();
    await upsertSubject(ctx, { externalId: "a" });
    await upsertSubject(ctx, { externalId: "b", status: "inactive" });
    const plain = await call("POST", "/v1/groups", { token, body: { name: "Class", externalId: " c-1 " } });
    expect([plain.status, plain.json()]).toEqual([
      201,
      {
        id: expect.stringMatching(/^grp_/),
        object: "group",
        name: "Class",
        externalId: "c-1",
        description: "",
        kind: "static",
        rule: null,
        memberCount: 0,
        providedBy: null,
        fedBy: [],
        evaluatedAt: null,
        evaluationProblem: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    const ruled = await call("POST", "/v1/groups", { token, body: { name: "Active", rule: active } });
    expect(ruled.json()).toMatchObject({ kind: "rule", rule: active, memberCount: 1, evaluatedAt: expect.any(String) });
  });

  it("reports each error of a rule with a JSON pointer", async () => {
    const { ctx, key } = await world();
    const other = await world();
    const [ruled, foreign] = [
      await createGroup(ctx, { name: "Active", rule: active }),
      await createGroup(other.ctx, { name: "Theirs" }),
    ];
    const token = await key();
    const errors = async (rule: unknown, kind?: string) => {
      const answer = await call("POST", "/v1/groups", { token, body: { name: "x", rule, ...(kind && { kind }) } });
      return [answer.status, (answer.json()["errors"] as { pointer: string }[]).map(({ pointer }) => pointer)];
    };
    expect(await errors({ all: [active, { not: { ...active, op: "like" } }, { any: [] }] })).toEqual([
      400,
      ["/rule/all/1/not/op", "/rule/all/2/any"],
    ]);
    expect(
      await errors({
        any: [
          { field: "groups", op: "contains", value: ruled.id },
          { field: "groups", op: "in", value: [foreign.id, newPublicId("grp")] },
        ],
      }),
    ).toEqual([400, ["/rule/any/0/value", "/rule/any/1/value/0", "/rule/any/1/value/1"]]);
    expect(await errors(active, "static")).toEqual([400, ["/rule"]]);
    expect(await errors(undefined, "rule")).toEqual([400, ["/rule"]]);
  });

  it("refuses an externalId that another group has, also in a change", async () => {
    const { ctx, key } = await world();
    const token = await key();
    const { id: taken } = await createGroup(ctx, { name: "A", externalId: "x" });
    const { id } = await createGroup(ctx, { name: "B" });
    for (const answer of [
      await call("POST", "/v1/groups", { token, body: { name: "C", externalId: "x" } }),
      await call("PATCH", `/v1/groups/${id}`, { token, body: { externalId: "x" } }),
    ])
      expect([answer.status, answer.json()]).toMatchObject([409, { code: "external_id_taken", groupId: taken }]);
  });
});

describe("PATCH /v1/groups/{id}", () => {
  it("is refused with an outdated ETag, which does not cover members", async () => {
    const { ctx, key } = await world();
    const token = await key();
    const { id } = await createGroup(ctx, { name: "A" });
    const etag = (await call("GET", `/v1/groups/${id}`, { token })).headers.get("etag")!;
    await upsertSubject(ctx, { externalId: "s" });
    await addGroupMembers(ctx, { id, externalIds: ["s"] });
    const change = (name: string) =>
      call("PATCH", `/v1/groups/${id}`, { token, headers: { "if-match": etag }, body: { name } });
    expect([(await change("B")).status, (await change("C")).status]).toEqual([200, 412]);
  });

  it("refuses a rule for a static group", async () => {
    const { ctx } = await world();
    const { id } = await createGroup(ctx, { name: "A" });
    await expect(updateGroup(ctx, { id, rule: active })).rejects.toMatchObject({ code: "group_not_static" });
  });
});

describe("DELETE /v1/groups/{id}", () => {
  it("deletes the memberships and counters, but not the people", async () => {
    const { ctx, orgId, key } = await world();
    const token = await key();
    await upsertSubject(ctx, { externalId: "s" });
    const { id } = await createGroup(ctx, { name: "A" });
    await addGroupMembers(ctx, { id, externalIds: ["s"] });
    expect((await call("DELETE", `/v1/groups/${id}`, { token })).status).toBe(204);
    expect((await call("GET", `/v1/groups/${id}`, { token })).status).toBe(404);
    const [left] = await sql(
      `SELECT (SELECT count(*) FROM subjects WHERE org_id = $1) AS people, (SELECT count(*) FROM group_members WHERE org_id = $1) AS members,
         (SELECT count(*) FROM group_count_deltas WHERE org_id = $1) AS deltas`,
      [orgId],
    );
    expect(left).toEqual({ people: 1, members: 0, deltas: 0 });
  });

  it("is refused while a rule names the group, and names the rule's group", async () => {
    const { ctx, key } = await world();
    const { id } = await createGroup(ctx, { name: "Class" });
    const rule = { field: "groups", op: "contains", value: id };
    const user = await createGroup(ctx, { name: "In class", rule });
    const answer = await call("DELETE", `/v1/groups/${id}`, { token: await key() });
    expect([answer.status, answer.json()]).toMatchObject([
      409,
      { code: "group_in_use", detail: `The rule of "In class" names this group. Change or delete that first.` },
    ]);
    await updateGroup(ctx, { id: user.id, rule: active });
    await deleteGroup(ctx, { id });
  });
});

describe("GET /v1/groups", () => {
  it("finds groups by text, kind and externalId, sorted and in pages", async () => {
    const { ctx, key } = await world();
    const token = await key();
    await createGroup(ctx, { name: "Élan club", description: "Chess on Fridays" });
    await createGroup(ctx, { name: "Biology", externalId: "bio-26" });
    await createGroup(ctx, { name: "Active", rule: active });
    const names = async (query: string) =>
      ((await call("GET", `/v1/groups?${query}`, { token })).json()["data"] as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names("")).toEqual(["Active", "Biology", "Élan club"]);
    expect(await names("q=chess+elan")).toEqual(["Élan club"]);
    expect(await names("q=BIO-2")).toEqual(["Biology"]);
    expect(await names("kind=rule")).toEqual(["Active"]);
    expect(await names("externalId=bio-26")).toEqual(["Biology"]);
    expect(await names("sort=-name&limit=2")).toEqual(["Élan club", "Biology"]);
    await createGroup(ctx, { name: "Chemistry", externalId: "che-26" });
    await createGroup(ctx, { name: "Both", externalId: "che-26,27" });
    expect(await names("externalId=bio-26,che-26")).toEqual(["Chemistry", "Biology"]);
    expect(await names("externalId=che-26,27")).toEqual(["Both"]);
  });
});
