import { beforeAll, describe, expect, it } from "vitest";
import { upsertSubject } from "@/server/subjects/upsert";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { addGroupMembers } from "./add-members";
import { createGroup } from "./create";

// docs/decisions/361: everything that reveals data about people requires subjects:read in addition to its own scope.
const rule = { field: "email", op: "eq", value: "ada@example.edu" };

let w: World;
let groupsOnly: string;
let withPeople: string;
let ruled: string;

beforeAll(async () => {
  w = await world();
  await upsertSubject(w.ctx, { externalId: "ada", displayName: "Ada Lovelace", email: "ada@example.edu" });
  groupsOnly = await w.key("groups:read", "groups:write");
  withPeople = await w.key("groups:read", "groups:write", "subjects:read");
  ruled = (await createGroup(w.ctx, { name: "Ada", rule })).id;
});

it("a missing rule is reported as a required field", async () => {
  const answer = await call("POST", "/v1/groups/preview", { token: withPeople, body: {} });
  expect(answer.json()["errors"]).toEqual([{ pointer: "/rule", code: "invalid_type", message: "rule is required" }]);
});

describe("a key without subjects:read", () => {
  const lacks = { code: "insufficient_scope", scope: "subjects:read" };

  it("cannot create a group with a rule, even with an Idempotency-Key", async () => {
    const body = { name: "Guess", rule };
    const headers = { "idempotency-key": "a rule that was sent before" };
    const allowed = await call("POST", "/v1/groups", { token: withPeople, body, headers });
    expect([allowed.status, allowed.json()["memberCount"]]).toEqual([201, 1]);
    for (const sent of [{ body }, { body, headers }]) {
      const answer = await call("POST", "/v1/groups", { token: groupsOnly, ...sent });
      expect([answer.status, answer.json()]).toMatchObject([403, lacks]);
    }
    expect((await call("POST", "/v1/groups", { token: groupsOnly, body: { name: "Static" } })).status).toBe(201);
  });

  it("cannot change the rule of a group, but can change its name", async () => {
    const change = (token: string, body: object) => call("PATCH", `/v1/groups/${ruled}`, { token, body });
    const refused = await change(groupsOnly, { rule: { ...rule, value: "eve@example.edu" } });
    expect([refused.status, refused.json()]).toMatchObject([403, lacks]);
    expect((await change(groupsOnly, { name: "Renamed" })).json()).toMatchObject({ name: "Renamed", rule });
    expect((await change(withPeople, { rule: { ...rule, value: "eve@example.edu" } })).json()).toMatchObject({
      memberCount: 0,
    });
  });

  it("cannot list members, whose names and addresses are shown", async () => {
    const { id } = await createGroup(w.ctx, { name: "Class" });
    await addGroupMembers(w.ctx, { id, externalIds: ["ada"] });
    const refused = await call("GET", `/v1/groups/${id}/members`, { token: groupsOnly });
    expect([refused.status, refused.json()]).toMatchObject([403, lacks]);
    expect(refused.text).not.toContain("ada@example.edu");
    expect((await call("GET", `/v1/groups/${id}/members`, { token: withPeople })).status).toBe(200);
  });
});
