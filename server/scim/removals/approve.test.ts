import { describe, expect, it } from "vitest";
import { createPolicy } from "@/server/policies/create";
import { transaction } from "@/server/core/transaction";
import { publishedTemplate } from "@/server/testing/credentials";
import { begin } from "@/server/testing/deadlocks";
import { eventsOf } from "@/server/testing/events";
import { deactivate, decide, directory, openLimitedDirectory, people, remove, statuses, w } from "../testing/removals";
import type { Decision } from "./take-staged";

openLimitedDirectory();

const reactivate = (n: number) => directory.patch(people[n]!.id, [{ op: "replace", path: "active", value: true }]);
const approve = (body: object = {}) => decide("approve", body);

/** The ids of the people whom events of this type name, one for each time. */
async function named(type: "subject.deactivated" | "group.members_removed"): Promise<string[]> {
  const events = (await eventsOf(w.orgId)).filter((event) => event.type === type);
  return events.flatMap(({ data }) => {
    const object = data["object"] as { id: string; subjectIds?: string[] };
    return object.subjectIds ?? [object.id];
  });
}

/** Locks p-3, begins the requests one after another, each until it waits, and then lets them go on in that order. */
async function inOrder<T>(...requests: (() => Promise<T>)[]): Promise<T[]> {
  const answers = await transaction(async (tx) => {
    await tx.sql(`SELECT 1 FROM subjects WHERE org_id = $1 AND external_id = 'p-3' FOR UPDATE`, [w.orgId]);
    const begun = [];
    for (const request of requests) begun.push(await begin(request));
    expect(begun.map(({ waits }) => waits)).toEqual(requests.map(() => true));
    return begun.map(({ answer }) => answer);
  });
  return Promise.all(answers);
}

describe("an approval while the directory changes the same people", () => {
  it("leaves out whom the directory has activated before it, and says so if a count was expected", async () => {
    for (const n of [0, 1, 2, 3, 4]) await deactivate(n);
    const [activated, refused] = await inOrder(
      () => reactivate(3),
      () => approve({ expectedCount: 3 }),
    );
    expect([activated!.status, refused!.status, refused!.json()]).toMatchObject([
      200,
      409,
      { code: "count_mismatch", count: 2 },
    ]);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
    await deactivate(3);
    const [, approved] = await inOrder(
      () => reactivate(3),
      () => approve(),
    );
    expect(approved!.json()).toEqual({ deactivated: 2, membershipsRemoved: 0, dropped: 0, remaining: 0 });
    expect(await statuses()).toEqual(["inactive", "inactive", "inactive", "active", "inactive"]);
  });

  it("is followed by an activation that came after it", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    const [approved, activated] = await inOrder(
      () => approve({ expectedCount: 2 }),
      () => reactivate(3),
    );
    expect([approved!.json(), activated!.json()]).toMatchObject([{ deactivated: 2, remaining: 0 }, { active: true }]);
    expect(await statuses()).toEqual(["inactive", "inactive", "inactive", "active", "active"]);
  });

  it("removes everybody once if it is sent twice, also whom the directory deletes meanwhile", async () => {
    for (const n of [0, 1, 2, 3, 4]) await deactivate(n);
    const answers = await inOrder(
      () => approve(),
      () => remove(3),
      () => approve(),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 200]);
    expect([answers[0]!.json(), answers[2]!.json()]).toMatchObject([{ deactivated: 3 }, { deactivated: 0 }]);
    expect(await statuses()).toEqual(Array(5).fill("inactive"));
    expect((await named("subject.deactivated")).toSorted()).toEqual(people.map(({ id }) => id).toSorted());
    expect((await directory.scim("GET", `/Users/${people[3]!.id}`)).status).toBe(404);
  });

  it("loses nobody whom the directory keeps, and removes nobody twice, in any order of many requests", async () => {
    for (let n = 5; n < 12; n++) people.push(await directory.user(`p-${n}@example.org`, { externalId: `p-${n}` }));
    const { id: group } = await directory.group("Readers", { members: people.map(({ id }) => ({ value: id })) });
    const { id: templateId } = await publishedTemplate(w.ctx);
    await createPolicy(w.ctx, { name: "Library cards", templateId, groupId: group });
    const all = people.map((_, n) => n);
    const kept = all.filter((n) => n % 3 === 0);
    const left = all.filter((n) => n % 3 !== 0);
    const values = (some: number[]) => some.map((n) => ({ value: people[n]!.id }));
    const idsOf = (some: number[]) => some.map((n) => people[n]!.id).toSorted();
    for (let round = 0; round < 6; round++) {
      const before = { deactivated: await named("subject.deactivated"), removed: await named("group.members_removed") };
      // All memberships wait, and then all deactivations: the limit of the directory is two.
      await directory.patchGroup(group, [{ op: "remove", path: "members", value: values(all) }]);
      await Promise.all(all.map(deactivate));
      // The first two are within the limit.
      const atOnce = (await named("subject.deactivated")).length - before.deactivated.length;
      const answers = await Promise.all([
        approve(),
        approve(),
        ...kept.map(reactivate),
        directory.patchGroup(group, [{ op: "add", path: "members", value: values(kept) }]),
        approve(),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => status >= 400)).toEqual([]);
      const last = (await approve()).json<Decision>();
      expect(last.remaining).toBe(0);
      expect(await statuses()).toEqual(all.map((n) => (kept.includes(n) ? "active" : "inactive")));
      expect(await directory.applied(group)).toEqual(idsOf(kept));
      expect(await directory.members(group)).toEqual(idsOf(kept));
      const since = async (type: "subject.deactivated" | "group.members_removed", old: string[]) =>
        (await named(type)).slice(old.length);
      const deactivated = await since("subject.deactivated", before.deactivated);
      const removed = await since("group.members_removed", before.removed);
      const decided = [answers[0]!, answers[1]!, answers.at(-1)!].map((answer) => answer.json<Decision>());
      const total = (field: "deactivated" | "membershipsRemoved") =>
        decided.reduce((sum, each) => sum + each[field], last[field]);
      for (const ids of [deactivated, removed])
        expect(idsOf(left).filter((id) => ids.filter((each) => each === id).length !== 1)).toEqual([]);
      // Of those who stay, an approval took some before the directory brought them back: at most once each.
      for (const ids of [deactivated, removed]) expect(new Set(ids).size).toBe(ids.length);
      expect(total("membershipsRemoved")).toBe(removed.length);
      expect(total("deactivated")).toBe(deactivated.length - atOnce);
      for (const n of left) await reactivate(n);
      await directory.patchGroup(group, [{ op: "add", path: "members", value: values(left) }]);
    }
  });
});
