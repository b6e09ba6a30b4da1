import { describe, expect, it } from "vitest";
import { newPublicId } from "@/server/core/ids";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { deleteSubject } from "@/server/subjects/delete";
import { upsertSubject } from "@/server/subjects/upsert";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { addGroupMembers } from "./add-members";
import { createGroup } from "./create";
import { foldGroupCounts } from "./fold-counts";
import { getGroup } from "./get";
import { listGroupMembers } from "./list-members";
import { deleteGroup } from "./delete";
import { groupNames } from "./names";
import { listGroupsOfSubject } from "./list-of-subject";
import { reconcileGroupCounts } from "./reconcile-counts";
import { removeGroupMembers } from "./remove-members";

async function people({ ctx }: World, n: number): Promise<string[]> {
  const { data } = await bulkUpsertSubjects(ctx, {
    items: Array.from({ length: n }, (_, i) => ({ externalId: `p-${i}` })),
  });
  return data.map(({ subject }) => subject!.id);
}

const group = ({ ctx }: World) => createGroup(ctx, { name: "Class" });

describe("POST /v1/groups/{id}/members", () => {
  it("adds people by either id, each once, and reports those that it does not find", async () => {
    const w = await world();
    const token = await w.key();
    const [first, second] = await people(w, 4);
    const { id } = await group(w);
    await addGroupMembers(w.ctx, { id, subjectIds: [second!] });
    const answer = await call("POST", `/v1/groups/${id}/members`, {
      token,
      body: {
        subjectIds: [first, second, newPublicId("sub"), "nonsense"],
        externalIds: ["p-0", "p-2", "P-3", "e\u0301"],
      },
    });
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        added: 2,
        unchanged: 2,
        failed: 4,
        memberCount: 3,
        errors: ["/subjectIds/2", "/subjectIds/3", "/externalIds/2", "/externalIds/3"].map((pointer) => ({
          pointer,
          code: "not_found",
          message: "There is no such person in this organisation.",
        })),
      },
    ]);
    const members = (await call("GET", `/v1/groups/${id}/members`, { token })).json() as {
      data: { externalId: string; addedAt: string }[];
    };
    expect(members.data.map(({ externalId }) => externalId).toSorted()).toEqual(["p-0", "p-1", "p-2"]);
  });

  it("adds nobody of another organisation", async () => {
    const [mine, other] = [await world(), await world()];
    const [stranger] = await people(other, 1);
    const { id } = await group(mine);
    expect(await addGroupMembers(mine.ctx, { id, subjectIds: [stranger!] })).toMatchObject({ added: 0, failed: 1 });
    await expect(addGroupMembers(other.ctx, { id, subjectIds: [stranger!] })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("emits one event for 10,000 people, with the count and the first 100", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await group(w);
    await sql(
      `INSERT INTO subjects (org_id, id, external_id) SELECT $1, uuidv7(), 'm-' || n FROM generate_series(1, 10000) AS n`,
      [w.orgId],
    );
    // As after every large load by operations: server/core/table-growth.ts.
    await sql("ANALYZE subjects");
    const externalIds = Array.from({ length: 10_000 }, (_, i) => `m-${i + 1}`);
    const answer = await call("POST", `/v1/groups/${id}/members`, { token, body: { externalIds } });
    expect(answer.json()).toEqual({ added: 10_000, unchanged: 0, failed: 0, memberCount: 10_000, errors: [] });
    const [event, ...more] = (await eventsOf(w.orgId)).filter(({ type }) => type === "group.members_added");
    const { count, subjectIds } = event!.data.object as { count: number; subjectIds: string[] };
    expect([count, subjectIds.length, more]).toEqual([10_000, 100, []]);
    const tooMany = await call("POST", `/v1/groups/${id}/members`, {
      token,
      body: { externalIds, subjectIds: [subjectIds[0]] },
    });
    const message = "The request must name 1 to 10000 people, in subjectIds, externalIds or both";
    expect([tooMany.status, tooMany.json()["errors"]]).toEqual([400, [{ pointer: "", code: "too_big", message }]]);
    for (const path of ["members", "members/remove"]) {
      for (const body of [{}, { externalIds: [] }]) {
        const nobody = await call("POST", `/v1/groups/${id}/${path}`, { token, body });
        expect([nobody.status, nobody.json()["errors"]]).toEqual([400, [{ pointer: "", code: "too_small", message }]]);
      }
    }
  });

  it("refuses to add to a group whose members a rule decides", async () => {
    const w = await world();
    await people(w, 1);
    const { id } = await createGroup(w.ctx, { name: "All", rule: { field: "status", op: "eq", value: "active" } });
    const token = await w.key();
    for (const path of ["members", "members/remove"]) {
      const answer = await call("POST", `/v1/groups/${id}/${path}`, { token, body: { externalIds: ["p-0"] } });
      expect([answer.status, answer.json()["code"]]).toEqual([409, "group_not_static"]);
    }
  });
});

describe("POST /v1/groups/{id}/members/remove", () => {
  it("removes people, and ignores those who were no members", async () => {
    const w = await world();
    const ids = await people(w, 4);
    const { id } = await group(w);
    await addGroupMembers(w.ctx, { id, subjectIds: ids.slice(0, 3) });
    const answer = await call("POST", `/v1/groups/${id}/members/remove`, {
      token: await w.key(),
      body: { subjectIds: [ids[0], ids[3]], externalIds: ["p-1", "nobody"] },
    });
    expect(answer.json()).toMatchObject({ removed: 2, unchanged: 1, failed: 1, memberCount: 1 });
    expect((await listGroupMembers(w.ctx, { id })).data.map(({ subjectId }) => subjectId)).toEqual([ids[2]]);
    const [event] = (await eventsOf(w.orgId)).filter(({ type }) => type === "group.members_removed");
    expect(event!.data.object).toEqual({ object: "group", id, count: 2, subjectIds: ids.slice(0, 2) });
  });
});

describe("members who are erased or deleted", () => {
  it("when erased, they leave every group, including rule groups, and cannot be added again", async () => {
    const w = await world();
    const [ada] = await people(w, 2);
    const { id } = await group(w);
    const rule = await createGroup(w.ctx, { name: "All", rule: { field: "externalId", op: "exists" } });
    await addGroupMembers(w.ctx, { id, externalIds: ["p-0", "p-1"] });
    await eraseSubject(w.ctx, { id: ada!, reason: "r" });
    expect((await getGroup(w.ctx, { id })).memberCount).toBe(1);
    expect((await getGroup(w.ctx, { id: rule.id })).memberCount).toBe(1);
    expect(await addGroupMembers(w.ctx, { id, subjectIds: [ada!] })).toMatchObject({
      added: 0,
      errors: [{ pointer: "/subjectIds/0", code: "subject_erased" }],
    });
  });

  it("when erased, their former external id is unknown, and the other rows succeed", async () => {
    const w = await world();
    const token = await w.key();
    const [ada] = await people(w, 2);
    const { id } = await group(w);
    await eraseSubject(w.ctx, { id: ada!, reason: "r" });
    const [erased, nobody] = await Promise.all(
      ["p-0", "p-9"].map((externalId) =>
        call("POST", `/v1/groups/${id}/members`, { token, body: { externalIds: ["p-1", externalId] } }),
      ),
    );
    const errors = [
      { pointer: "/externalIds/1", code: "not_found", message: "There is no such person in this organisation." },
    ];
    expect(erased!.json()).toMatchObject({ failed: 1, memberCount: 1, errors });
    expect(nobody!.json()).toMatchObject({ failed: 1, memberCount: 1, errors });
  });

  it("when deleted, they are no longer counted by the group", async () => {
    const w = await world();
    const [ada] = await people(w, 2);
    const { id } = await group(w);
    await addGroupMembers(w.ctx, { id, externalIds: ["p-0", "p-1"] });
    await deleteSubject(w.ctx, { id: ada! });
    expect((await getGroup(w.ctx, { id })).memberCount).toBe(1);
  });
});

describe("lists of members", () => {
  it("return all members by cursor, newest people first, each once", async () => {
    const w = await world();
    const ids = await people(w, 5);
    const { id } = await group(w);
    await addGroupMembers(w.ctx, { id, subjectIds: [4, 0, 3].map((i) => ids[i]!) });
    const first = await listGroupMembers(w.ctx, { id, limit: 2 });
    const second = await listGroupMembers(w.ctx, { id, limit: 2, cursor: first.nextCursor! });
    expect([...first.data, ...second.data].map(({ subjectId }) => subjectId)).toEqual([4, 3, 0].map((i) => ids[i]));
    expect([second.nextCursor, (await listGroupMembers(w.ctx, { id, offset: 0 })).total]).toEqual([null, 3]);
  });

  it("of names by id omit deleted groups and those of other organisations", async () => {
    const [w, other] = [await world(), await world()];
    const [kept, gone, foreign] = [await group(w), await group(w), await group(other)];
    await deleteGroup(w.ctx, { id: gone.id });
    const named = await groupNames(w.ctx, { ids: [kept.id, gone.id, foreign.id] });
    expect(named).toEqual([{ id: kept.id, name: kept.name }]);
  });

  it("of a person's groups are complete", async () => {
    const w = await world();
    const [ada] = await people(w, 2);
    const groups = [await group(w), await group(w), await group(w)];
    for (const { id } of groups.slice(0, 2)) await addGroupMembers(w.ctx, { id, externalIds: ["p-0"] });
    const shown = await listGroupsOfSubject(w.ctx, { id: ada!, limit: 1 });
    const next = await listGroupsOfSubject(w.ctx, { id: ada!, limit: 1, cursor: shown.nextCursor! });
    expect([...shown.data, ...next.data].map(({ id, memberCount }) => [id, memberCount])).toEqual([
      [groups[1]!.id, 1],
      [groups[0]!.id, 1],
    ]);
    expect(next.nextCursor).toBeNull();
  });

  it("of people can be filtered by group, with search, sort, pages and total", async () => {
    const w = await world();
    const names = ["Ada Zuse", "Berta Zuse", "Carla Benz", "Dora Zuse"];
    for (const [i, displayName] of names.entries()) await upsertSubject(w.ctx, { externalId: `n-${i}`, displayName });
    const { id } = await group(w);
    await addGroupMembers(w.ctx, { id, externalIds: ["n-0", "n-1", "n-2"] });
    const token = await w.key();
    const found = async (query: string) => {
      const answer = (await call("GET", `/v1/subjects?groupId=${id}${query}`, { token })).json() as {
        data: { displayName: string }[];
        total?: number;
        nextCursor: string | null;
      };
      return { names: answer.data.map(({ displayName }) => displayName), ...answer };
    };
    expect((await found("")).names).toEqual(["Carla Benz", "Berta Zuse", "Ada Zuse"]);
    expect((await found("&q=zuse")).names).toEqual(["Berta Zuse", "Ada Zuse"]);
    expect((await found("&q=zu")).names).toEqual(["Berta Zuse", "Ada Zuse"]);
    expect(await found("&sort=displayName&offset=1&limit=1")).toMatchObject({ names: ["Berta Zuse"], total: 3 });
    expect(await found("&q=zuse&offset=0")).toMatchObject({ total: 2 });
    const first = await found("&limit=2");
    expect((await found(`&limit=2&cursor=${first.nextCursor}`)).names).toEqual(["Ada Zuse"]);
    expect((await call("GET", `/v1/subjects?groupId=${newPublicId("grp")}`, { token })).json()["data"]).toEqual([]);
  });

  it("of people can be filtered by several groups, each person once", async () => {
    const w = await world();
    const names = ["Ada Zuse", "Berta Zuse", "Carla Benz", "Dora Zuse"];
    for (const [i, displayName] of names.entries()) await upsertSubject(w.ctx, { externalId: `n-${i}`, displayName });
    const [one, other] = [await group(w), await group(w)];
    await addGroupMembers(w.ctx, { id: one.id, externalIds: ["n-0", "n-1"] });
    await addGroupMembers(w.ctx, { id: other.id, externalIds: ["n-1", "n-2"] });
    const token = await w.key();
    const found = async (query: string) => {
      const path = `/v1/subjects?groupId=${one.id},${other.id}${query}`;
      const answer = (await call("GET", path, { token })).json<{
        data: { displayName: string }[];
        total?: number;
        nextCursor: string | null;
      }>();
      return { ...answer, names: answer.data.map(({ displayName }) => displayName) };
    };
    expect(await found("&offset=0")).toMatchObject({ names: ["Carla Benz", "Berta Zuse", "Ada Zuse"], total: 3 });
    expect(await found("&q=zuse&offset=0")).toMatchObject({ names: ["Berta Zuse", "Ada Zuse"], total: 2 });
    const first = await found("&limit=2");
    expect((await found(`&limit=2&cursor=${first.nextCursor}`)).names).toEqual(["Ada Zuse"]);
  });
});

describe("the number of members", () => {
  it("is exact before and after its changes are folded, also while others change the group", async () => {
    const w = await world();
    const ids = await people(w, 20);
    const { id } = await group(w);
    const count = async () => (await getGroup(w.ctx, { id })).memberCount;
    await Promise.all(ids.map((each) => addGroupMembers(w.ctx, { id, subjectIds: [each] })));
    expect(await count()).toBe(20);
    await foldGroupCounts();
    await removeGroupMembers(w.ctx, { id, subjectIds: ids.slice(0, 5) });
    expect(await count()).toBe(15);
    await foldGroupCounts();
    expect(await count()).toBe(15);
  });

  it("is corrected at night if a load of data bypassed the triggers", async () => {
    const w = await world();
    await people(w, 3);
    const { id } = await group(w);
    await addGroupMembers(w.ctx, { id, externalIds: ["p-0", "p-1", "p-2"] });
    await sql(
      `INSERT INTO group_count_deltas (org_id, group_id, delta) SELECT org_id, group_id, 7 FROM group_members WHERE org_id = $1 LIMIT 1`,
      [w.orgId],
    );
    expect((await getGroup(w.ctx, { id })).memberCount).toBe(10);
    await reconcileGroupCounts();
    expect((await getGroup(w.ctx, { id })).memberCount).toBe(3);
  });
});
