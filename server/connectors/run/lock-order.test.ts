import { beforeAll, expect, it } from "vitest";
import { transaction } from "@/server/core/transaction";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { Office } from "@/server/policies/testing/office";
import { Directory } from "@/server/scim/testing/directory";
import { upsertSubject } from "@/server/subjects/upsert";
import { begin, deadlocks } from "@/server/testing/deadlocks";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { Feed, fileOf } from "../testing/feed";
import { peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

/** People whose ids ascend while their external ids descend, so that a lock by id takes them in the reverse order. */
const reversed = [3, 2, 1];
const inPhysics = { field: "attributes.department", op: "eq", value: "Physics" };

interface Work {
  /** Prepares work that locks all three people. */
  prepare(w: World, feed: Feed): Promise<() => Promise<unknown>>;
}

/** Undoes the run that gave the people their present names. */
const undo: Work = {
  async prepare(w, feed) {
    const run = await feed.upload(fileOf(reversed).replaceAll("Person", "Renamed"));
    const answer = await feed.post(`/runs/${run.id}/undo`, {}, await w.key("connectors:approve", "connectors:run"));
    expect(answer.status).toBe(202);
    return () => feed.work();
  },
};

/** A set of people written over the API. */
const write: Work = {
  async prepare(w) {
    const token = await w.key("subjects:write");
    const items = reversed.map((n) => ({ externalId: `p-${n}`, email: `new.${n}@example.edu` }));
    return async () => {
      const answer = await call("POST", "/v1/subjects/bulk", { token, body: { items } });
      expect(answer.json()).toMatchObject({ succeeded: 3, failed: 0 });
    };
  },
};

/** An approval of memberships that a directory removed. */
const approve: Work = {
  async prepare(w) {
    const directory = await Directory.open(w, { limits: { deactivations: 0, deactivationPercent: 0 } });
    const members: { value: string }[] = [];
    for (const n of reversed)
      members.push({ value: (await directory.user(`p${n}@example.edu`, { externalId: `p-${n}` })).id });
    const group = await directory.group("Readers", { members });
    await Office.open(w, { groupId: group.id });
    await directory.patchGroup(group.id, [{ op: "remove", path: "members" }]);
    return async () => {
      const answer = await directory.rest("POST", `/connectors/${directory.id}/staged/approve`, {});
      expect(answer.json()).toMatchObject({ membershipsRemoved: 3, dropped: 0, remaining: 0 });
    };
  },
};

/** A policy that issues to the people. */
const issue: Work = {
  async prepare(w) {
    const office = await Office.open(w, { rule: inPhysics });
    return async () => expect((await office.apply()).counts).toMatchObject({ issue: 3 });
  },
};

it.each([
  ["an undo", "a write of a set", undo, write],
  ["an undo", "an approval of removals", undo, approve],
  ["a policy that issues", "a write of a set", issue, write],
  ["a policy that issues", "an approval of removals", issue, approve],
])("%s and %s lock the same people in the same order", async (_, __, first, second) => {
  const w = await world();
  for (const n of reversed) await upsertSubject(w.ctx, { externalId: `p-${n}` });
  const feed = await Feed.open(w);
  await feed.upload(fileOf(reversed));
  const [one, other] = [await first.prepare(w, feed), await second.prepare(w, feed)];
  const before = await deadlocks();
  // Both stop at the middle person. Each has then locked the people that come before that person in its order.
  const answers = await transaction(async (tx) => {
    await tx.sql(`SELECT 1 FROM subjects WHERE org_id = $1 AND external_id = 'p-2' FOR UPDATE`, [w.orgId]);
    const begun = [await begin(one), await begin(other)];
    expect(begun.map(({ waits }) => waits)).toEqual([true, true]);
    return begun.map(({ answer }) => answer);
  });
  await Promise.all(answers);
  expect(await deadlocks()).toBe(before);
  expect(await peopleOf(w)).toHaveLength(3);
});

it("an undo that loses a deadlock to a request of a group is repeated", async () => {
  const w = await world();
  for (const n of reversed) await upsertSubject(w.ctx, { externalId: `p-${n}` });
  const feed = await Feed.open(w);
  await feed.upload(fileOf(reversed));
  const work = await undo.prepare(w, feed);
  const group = await createGroup(w.ctx, { name: "Choir" });
  const before = await deadlocks();
  // The order of the people in a request of a group is the caller's.
  const add = () => addGroupMembers(w.ctx, { id: group.id, externalIds: reversed.map((n) => `p-${n}`) });
  const answers = await transaction(async (tx) => {
    await tx.sql(`SELECT 1 FROM subjects WHERE org_id = $1 AND external_id = 'p-2' FOR UPDATE`, [w.orgId]);
    return [await begin(add), await begin(work)].map(({ answer }) => answer);
  });
  await Promise.all(answers);
  expect(await deadlocks()).toBe(before + 1);
  expect((await peopleOf(w)).map(({ displayName }) => displayName)).toEqual(["Person 1", "Person 2", "Person 3"]);
});
