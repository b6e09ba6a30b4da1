import { beforeAll, describe, expect, it } from "vitest";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { listGroupMembers } from "@/server/groups/list-members";
import { listGroups } from "@/server/groups/list";
import { updateGroup } from "@/server/groups/update";
import { createPolicy } from "@/server/policies/create";
import { purgeExpired } from "@/server/retention/purge";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { Feed, numbers } from "../testing/feed";

beforeAll(ownDatabase);

const mapping = { externalId: "id", status: "status", groups: [{ from: "class", separator: ";" }] };
const open = (w: World, body: object = {}) => Feed.open(w, { mapping, ...body });
const fileOf = (rows: [id: string, classes: string, status?: string][]) =>
  ["id,status,class", ...rows.map(([id, classes, status = ""]) => `${id},${status},${classes}`), ""].join("\n");

async function membersOf(w: World, name: string): Promise<string[] | null> {
  const group = (await listGroups(w.ctx, { limit: 100 })).data.find((each) => each.name === name);
  if (!group) return null;
  const { data } = await listGroupMembers(w.ctx, { id: group.id, limit: 100 });
  expect(group.memberCount).toBe(data.length);
  return data.map(({ externalId }) => externalId).toSorted();
}

const groupEvents = async (w: World) =>
  (await eventsOf(w.orgId)).filter(({ type }) => type.startsWith("group.")).map(({ type }) => type);

/** A key with the scopes for approvals. */
const approver = (w: World) => w.key("connectors:approve");

/** A policy that depends on a group. */
async function policyOn(w: World, name: string): Promise<void> {
  const group = (await listGroups(w.ctx, { limit: 100 })).data.find((each) => each.name === name)!;
  const template = await publishedTemplate(w.ctx);
  await createPolicy(w.ctx, { name: "Library", templateId: template.id, groupId: group.id });
}

describe("the groups that a file names", () => {
  it("say which connectors feed them, in lists too, until the connector maps no groups or is deleted", async () => {
    const w = await world();
    const [registry, library] = [await open(w, { name: "Registry" }), await open(w, { name: "Library" })];
    await registry.upload(fileOf([["a", "1a"]]));
    await library.upload(fileOf([["a", "1A;1b"]]));
    const fed = async () => (await listGroups(w.ctx, { sort: "name", limit: 100 })).data.map(({ fedBy }) => fedBy);
    const [first, second] = [
      { connectorId: library.id, name: "Library" },
      { connectorId: registry.id, name: "Registry" },
    ];
    expect(await fed()).toEqual([[first, second], [first]]);
    const [group] = (await listGroups(w.ctx, { sort: "name", limit: 1 })).data;
    const answer = await call("GET", `/v1/groups/${group!.id}`, { token: await w.key() });
    expect(answer.json()).toEqual(group);
    await call("PATCH", `/v1/connectors/${library.id}`, {
      token: library.token,
      body: { mapping: { externalId: "id", status: "status" } },
    });
    expect(await fed()).toEqual([[second], []]);
    await registry.delete();
    expect(await fed()).toEqual([[], []]);
  });

  it("are created once, and people join and leave them as their rows say", async () => {
    const w = await world();
    const feed = await open(w);
    const first = await feed.upload(
      fileOf([
        ["a", "1a; Choir"],
        ["b", "1A"],
        ["c", ""],
      ]),
    );
    expect(first).toMatchObject({ status: "succeeded", counts: { created: 3, updated: 0, unchanged: 0 } });
    expect([await membersOf(w, "1A"), await membersOf(w, "1a"), await membersOf(w, "Choir")]).toEqual([
      ["a", "b"],
      null,
      ["a"],
    ]);
    expect(await groupEvents(w)).toEqual([
      "group.created",
      "group.created",
      "group.members_added",
      "group.members_added",
    ]);
    const second = await feed.upload(
      fileOf([
        ["a", "Choir"],
        ["b", "1a;Choir"],
        ["c", ""],
      ]),
    );
    expect(second).toMatchObject({ status: "succeeded", counts: { created: 0, updated: 2, unchanged: 1 } });
    expect([await membersOf(w, "1A"), await membersOf(w, "Choir")]).toEqual([["b"], ["a", "b"]]);
    // Other bytes but the same people: nothing is written.
    const third = await feed.upload(
      `${fileOf([
        ["a", "Choir"],
        ["b", "1a;Choir"],
        ["c", ""],
      ])}\n`,
    );
    expect(third).toMatchObject({ identical: false, counts: { updated: 0, unchanged: 3 } });
    expect((await groupEvents(w)).length).toBe(6);
  });

  it("are found by their name, and also after somebody renamed them", async () => {
    const w = await world();
    const { id } = await createGroup(w.ctx, { name: "Choir" });
    const feed = await open(w);
    await feed.upload(fileOf([["a", "choir"]]));
    await updateGroup(w.ctx, { id, name: "Singers" });
    await feed.upload(
      fileOf([
        ["a", "choir"],
        ["b", "choir"],
      ]),
    );
    expect([await membersOf(w, "Singers"), await membersOf(w, "choir")]).toEqual([["a", "b"], null]);
  });

  it("keep members whom the connector did not add, and those whom another connector lists", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(
      fileOf([
        ["a", ""],
        ["b", ""],
        ["c", ""],
      ]),
    );
    const { id } = await createGroup(w.ctx, { name: "Choir" });
    await addGroupMembers(w.ctx, { id, externalIds: ["a"] });
    const other = await Feed.open(w, { name: "Other", mapping, mode: "delta" });
    await other.upload(fileOf([["b", "Choir"]]));
    await feed.upload(
      fileOf([
        ["a", "Choir"],
        ["b", "Choir"],
        ["c", "Choir"],
      ]),
    );
    await feed.upload(
      fileOf([
        ["a", ""],
        ["b", ""],
        ["c", "Choir"],
      ]),
    );
    expect(await membersOf(w, "Choir")).toEqual(["a", "b", "c"]);
    await other.upload(fileOf([["b", ""]]));
    await feed.upload(
      fileOf([
        ["a", ""],
        ["b", ""],
        ["c", ""],
        ["d", "Choir"],
      ]),
    );
    expect(await membersOf(w, "Choir")).toEqual(["a", "d"]);
  });

  it("lose people whom a full file no longer lists, and nobody if the connector keeps who is missing", async () => {
    const w = await world();
    const keeping = await open(w);
    await keeping.upload(
      fileOf([
        ["a", "1a"],
        ["b", "1a"],
      ]),
    );
    await keeping.upload(fileOf([["a", "1a"]]));
    expect(await membersOf(w, "1a")).toEqual(["a", "b"]);
    const strict = await Feed.open(w, { name: "Strict", mapping, missing: "deactivate" });
    // "own" is deactivated as missing; "b" stays active because the API provides them too.
    await call("PUT", "/v1/subjects", { token: strict.token, body: { externalId: "b", displayName: "B" } });
    await strict.upload(
      fileOf([
        ["own", "2b"],
        ["b", "2b"],
        ["c", "2b"],
      ]),
    );
    const run = await strict.upload(fileOf([["c", "2b"]]));
    expect(run).toMatchObject({ status: "succeeded", counts: { deactivated: 1, updated: 1, unchanged: 1 } });
    expect(await membersOf(w, "2b")).toEqual(["c"]);
  });

  it("are not changed by a rejected row", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(
      fileOf([
        ["a", "1a"],
        ["b", "1a"],
      ]),
    );
    const run = await feed.upload(
      fileOf([
        ["a", "2b", "nonsense"],
        ["b", "x".repeat(201)],
      ]),
    );
    expect(run).toMatchObject({ counts: { rejected: 2 } });
    expect((await feed.errors(run.id)).map(({ column, code }) => [column, code])).toEqual([
      ["status", "unknown_value"],
      ["class", "invalid_group"],
    ]);
    expect([await membersOf(w, "1a"), await membersOf(w, "2b")]).toEqual([["a", "b"], null]);
  });

  it("are too many if the mapped column is the wrong one, and then nobody is changed", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: { externalId: "id", groups: ["class"] } });
    const rows = Array.from({ length: 5_001 }, (_, i): [string, string] => [`p-${i}`, `g-${i}`]);
    expect(await feed.upload(fileOf(rows))).toMatchObject({
      status: "failed",
      errorSummary: { code: "too_many_groups" },
      counts: { created: 0 },
    });
    expect((await listGroups(w.ctx, {})).data).toEqual([]);
  });
});

describe("the limit of removals", () => {
  const people = (from: number, to: number, classes: string): [string, string][] =>
    numbers(from, to).map((n) => [`p-${n}`, classes]);

  it("holds memberships of a group that a policy uses, lists them by name, and ends them when approved", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(fileOf(people(1, 30, "Library;Choir")));
    await policyOn(w, "Library");
    const run = await feed.upload(fileOf([...people(1, 12, ""), ...people(13, 30, "Library;Choir")]));
    expect(run).toMatchObject({ status: "held", hold: { reason: "limit", memberships: 12 }, counts: { held: 12 } });
    // No policy depends on the choir.
    expect([(await membersOf(w, "Library"))!.length, (await membersOf(w, "Choir"))!.length]).toEqual([30, 18]);
    const { data } = (await feed.get(`/runs/${run.id}/removals?limit=100`)).json<{ data: object[] }>();
    expect(data.length).toBe(12);
    expect(data[0]).toMatchObject({ externalId: "p-1", cause: "member", group: { name: "Library" }, state: "staged" });
    const pages = (await feed.get(`/runs/${run.id}/removals?limit=5`)).json<{ nextCursor: string }>();
    const next = await feed.get(`/runs/${run.id}/removals?limit=100&cursor=${pages.nextCursor}`);
    expect(next.json<{ data: object[] }>().data.length).toBe(7);
    expect((await feed.post(`/runs/${run.id}/approve`, { expectedCount: 11 }, await approver(w))).status).toBe(409);
    expect((await feed.post(`/runs/${run.id}/approve`, {}, await approver(w))).status).toBe(202);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { held: 0, updated: 12 } });
    expect((await membersOf(w, "Library"))!.length).toBe(18);
    expect((await groupEvents(w)).filter((type) => type === "group.members_removed").length).toBe(2);
  });

  it("holds them until somebody decides, even after the 7 days of an undo", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(fileOf(people(1, 30, "Library")));
    await policyOn(w, "Library");
    const run = await feed.upload(fileOf([...people(1, 12, ""), ...people(13, 30, "Library")]));
    const days = (n: number) => new Date(Date.now() + n * 86_400_000);
    await purgeExpired(days(8), days(1));
    expect((await feed.post(`/runs/${run.id}/approve`, {}, await approver(w))).status).toBe(202);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { held: 0 } });
    expect((await membersOf(w, "Library"))!.length).toBe(18);
  });

  it("counts what files ended within 24 hours, and ends nothing if the run is cancelled", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(fileOf(people(1, 30, "Library")));
    await policyOn(w, "Library");
    const first = await feed.upload(fileOf([...people(1, 8, ""), ...people(9, 30, "Library")]));
    expect(first).toMatchObject({ status: "succeeded", hold: null });
    const second = await feed.upload(fileOf([...people(1, 12, ""), ...people(13, 30, "Library")]));
    expect(second).toMatchObject({ status: "held", counts: { held: 4 } });
    await feed.post(`/runs/${second.id}/cancel`, {}, await approver(w));
    await feed.work();
    expect((await membersOf(w, "Library"))!.length).toBe(22);
    // The next file with the same rows decides again.
    expect(await feed.upload(fileOf([...people(1, 12, ""), ...people(13, 30, "Library")]))).toMatchObject({
      status: "held",
    });
  });

  it("holds a file that lost the values of the column, and changes nobody", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(fileOf(people(1, 8, "1a")));
    const run = await feed.upload(fileOf(people(1, 8, "")));
    expect(run).toMatchObject({ status: "held", hold: { reason: "lost_values" } });
    expect((await membersOf(w, "1a"))!.length).toBe(8);
    await feed.post(`/runs/${run.id}/approve`, {}, await approver(w));
    await feed.work();
    expect(await membersOf(w, "1a")).toEqual([]);
  });
});

describe("an undo", () => {
  it("restores and removes memberships, and deletes people whom the run created in groups", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(
      fileOf([
        ["a", "1a"],
        ["b", "1a"],
      ]),
    );
    const run = await feed.upload(
      fileOf([
        ["a", "2b"],
        ["b", "1a"],
        ["c", "2b"],
      ]),
    );
    expect(run.counts).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    const { id } = (await feed.post(`/runs/${run.id}/undo`, {}, await approver(w))).json<{ id: string }>();
    await feed.work();
    expect(await feed.run(id)).toMatchObject({ status: "succeeded", counts: { deleted: 1, updated: 1, skipped: 0 } });
    expect([await membersOf(w, "1a"), await membersOf(w, "2b")]).toEqual([["a", "b"], []]);
  });
});

describe("a preview", () => {
  it("shows the groups of each person before and after, and why the run would wait", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(fileOf(numbers(1, 30).map((n) => [`p-${n}`, "Library"])));
    await policyOn(w, "Library");
    const content = fileOf([
      ...numbers(1, 12).map((n): [string, string] => [`p-${n}`, "Choir"]),
      ...numbers(13, 30).map((n): [string, string] => [`p-${n}`, "library"]),
    ]);
    const body = { connectorId: feed.id, content };
    const preview = (await call("POST", "/v1/connectors/preview", { token: feed.token, body })).json<{
      counts: object;
      hold: object;
      data: { action: string; changes: object[] }[];
    }>();
    expect(preview).toMatchObject({
      counts: { updated: 12, unchanged: 18, held: 12 },
      hold: { reason: "limit", memberships: 12 },
    });
    expect(preview.data[0]).toMatchObject({
      action: "update",
      changes: [{ field: "groups", from: ["Library"], to: ["Choir"] }],
    });
    expect(await membersOf(w, "Choir")).toBeNull();
    const fresh = { mapping, content: fileOf([["new", "1a;2b"]]) };
    const answer = await call("POST", "/v1/connectors/preview", { token: feed.token, body: fresh });
    expect(answer.json<typeof preview>().data[0]!.changes).toContainEqual({
      field: "groups",
      from: null,
      to: ["1a", "2b"],
    });
  });
});

it("a preview counts the rows of a held run without the changes that wait for approval", async () => {
  const w = await world();
  const feed = await open(w, { limits: { deactivations: 0, deactivationPercent: 0 } });
  const rows = ["a", "b", "c", "d", "e", "f"].map((id): [string, string] => [id, "Library;Choir"]);
  await feed.upload(fileOf(rows));
  await policyOn(w, "Library");
  // Everything waits except the end of d's membership of the choir, c's new group and the end of f's membership of the
  // choir.
  const content = fileOf([
    ["a", "Library;Choir", "inactive"],
    ["b", "Choir"],
    ["c", "Choir;1a"],
    ["d", "Library"],
    ["e", "Choir", "inactive"],
    ["f", "Library", "inactive"],
  ]);
  const body = { connectorId: feed.id, content };
  const told = (await call("POST", "/v1/connectors/preview", { token: feed.token, body })).json<{ counts: object }>();
  expect(told.counts).toMatchObject({ updated: 3, unchanged: 3, deactivated: 0, held: 5 });
  expect(await feed.upload(content)).toMatchObject({ status: "held", counts: told.counts });
});

describe("the preview of people who are missing from a file", () => {
  it("shows the groups that people leave who are otherwise unchanged, as the run then does", async () => {
    const w = await world();
    const feed = await open(w, { missing: "deactivate" });
    const other = await Feed.open(w, { mapping: { externalId: "id" } });
    await feed.upload(
      fileOf([
        ["a", "1a"],
        ["b", "1a;Choir"],
        ["c", "Choir", "inactive"],
        ["d", "1a"],
      ]),
    );
    await other.upload("id\nb\n");
    const content = fileOf([["a", "1a"]]);
    const preview = async (body: object) =>
      (
        await call("POST", "/v1/connectors/preview", {
          token: feed.token,
          body: { connectorId: feed.id, content, ...body },
        })
      ).json<{ counts: object; data: { externalId: string; action: string; changes: object[] }[] }>();
    const told = await preview({});
    expect(told.counts).toMatchObject({ rows: 1, unchanged: 1, updated: 2, deactivated: 1 });
    expect(told.data.map(({ externalId, action }) => [externalId, action])).toEqual([
      ["a", "none"],
      ["d", "deactivate"],
      ["b", "update"],
      ["c", "update"],
    ]);
    expect(told.data[2]!.changes).toEqual([{ field: "groups", from: ["1a", "Choir"], to: null }]);
    expect((await preview({ actions: ["update"], limit: 1, offset: 1 })).data).toEqual([told.data[3]]);
    expect(await feed.upload(content)).toMatchObject({ counts: told.counts });
  });

  it("leaves out memberships that would wait for approval", async () => {
    const w = await world();
    const feed = await open(w, { missing: "deactivate", limits: { deactivations: 0, deactivationPercent: 0 } });
    const other = await Feed.open(w, { mapping: { externalId: "id" } });
    await feed.upload(
      fileOf([
        ["a", "Library"],
        ["b", "Library"],
        ["c", "Library;Choir"],
      ]),
    );
    await other.upload("id\nb\nc\n");
    await policyOn(w, "Library");
    const body = { connectorId: feed.id, content: fileOf([["a", "Library"]]) };
    const told = (await call("POST", "/v1/connectors/preview", { token: feed.token, body })).json<{
      counts: object;
      data: { externalId: string; changes: object[] }[];
    }>();
    expect(told.counts).toMatchObject({ unchanged: 1, updated: 1, held: 2 });
    expect(told.data[1]).toMatchObject({
      externalId: "c",
      changes: [{ field: "groups", from: ["Choir", "Library"], to: ["Library"] }],
    });
    expect(await feed.upload(body.content)).toMatchObject({ status: "held", counts: told.counts });
  });
});

describe("the mapping of a directory", () => {
  it("refuses groups, which a directory sends itself", async () => {
    const w = await world();
    const answer = await call("POST", "/v1/connectors", {
      token: await w.key(),
      body: {
        name: "Entra",
        type: "scim",
        mapping: {
          externalId: "externalId",
          status: { from: "active", transform: "trim", values: { true: "active", false: "inactive" } },
          groups: ["title"],
        },
      },
    });
    expect([answer.status, answer.json()["errors"]]).toMatchObject([400, [{ pointer: "/mapping/groups" }]]);
  });
});
