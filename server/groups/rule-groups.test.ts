import { newPublicId } from "@/server/core/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { upsertSubject } from "@/server/subjects/upsert";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { addGroupMembers } from "./add-members";
import { createGroup } from "./create";
import { getGroup } from "./get";
import { listGroupMembers } from "./list-members";
import { previewGroup } from "./preview";
import { removeGroupMembers } from "./remove-members";
import { evaluateDueRuleGroup } from "./sweep";
import { updateGroup } from "./update";

// A sweep processes all organisations.
let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  dropDatabase = await ownDatabase();
});
afterAll(() => dropDatabase());

const minute = 60_000;
const later = (w: World, minutes: number) => new Date(w.ctx.now.getTime() + minutes * minute);

/**
 * Sweeps until nothing is due.
 *
 * @returns the number of evaluated windows
 */
async function sweep(now: Date): Promise<number> {
  let windows = 0;
  while (await evaluateDueRuleGroup(now)) windows++;
  return windows;
}

const members = async (w: World, id: string) =>
  (await listGroupMembers(w.ctx, { id })).data.map(({ externalId }) => externalId).toSorted();

/** The changes of members in events since then, with their actors. */
async function told(w: World, before: number) {
  return (await eventsOf(w.orgId))
    .slice(before)
    .map(({ type, actor, data }) => [type, actor.id, (data.object as { count: number }).count]);
}

describe("a rule group", () => {
  it("follows people and static groups within five minutes, and reports who joined and left", async () => {
    const w = await world();
    const { ctx } = w;
    const { id: club } = await createGroup(ctx, { name: "Chess club" });
    await upsertSubject(ctx, { externalId: "ada", attributes: { year: 3 } });
    await upsertSubject(ctx, { externalId: "bob", attributes: { year: 1 } });
    const rule = {
      any: [
        { field: "attributes.year", op: "gte", value: 2 },
        { field: "groups", op: "contains", value: club },
      ],
    };
    const { id } = await createGroup(ctx, { name: "Seniors and chess", rule });
    expect(await members(w, id)).toEqual(["ada"]);
    await addGroupMembers(ctx, { id: club, externalIds: ["bob"] });
    await upsertSubject(ctx, { externalId: "ada", attributes: { year: "3" } });
    const before = (await eventsOf(w.orgId)).length;
    expect(await sweep(later(w, 4))).toBe(0);
    expect(await sweep(later(w, 6))).toBe(1);
    expect(await members(w, id)).toEqual(["bob"]);
    expect(await told(w, before)).toEqual([
      ["group.members_removed", "rule_groups", 1],
      ["group.members_added", "rule_groups", 1],
    ]);
    // Nothing has changed since, so nothing is emitted.
    await sweep(later(w, 12));
    expect(await told(w, before)).toHaveLength(2);
    await removeGroupMembers(ctx, { id: club, externalIds: ["bob"] });
    await sweep(later(w, 18));
    expect(await getGroup(ctx, { id })).toMatchObject({ memberCount: 0, evaluatedAt: later(w, 18).toISOString() });
  });

  it("changes with the clock", async () => {
    const w = await world();
    await upsertSubject(w.ctx, { externalId: "ada", attributes: { end: later(w, 10).toISOString() } });
    const rule = { field: "attributes.end", op: "after", value: "now" };
    const { id } = await createGroup(w.ctx, { name: "Enrolled", rule });
    await sweep(later(w, 9));
    expect(await members(w, id)).toEqual(["ada"]);
    await sweep(later(w, 15));
    expect(await members(w, id)).toEqual([]);
  });

  it("counts who matches a rule without writing anything", async () => {
    const w = await world();
    await upsertSubject(w.ctx, { externalId: "ada" });
    const before = (await eventsOf(w.orgId)).length;
    expect(await previewGroup(w.ctx, { rule: { field: "email", op: "exists", value: false } })).toEqual({
      matchCount: 1,
    });
    expect(await told(w, before)).toEqual([]);
  });

  it("counts only active people if requested, and refuses an unknown group", async () => {
    const w = await world();
    await upsertSubject(w.ctx, { externalId: "ada" });
    await upsertSubject(w.ctx, { externalId: "bob", status: "inactive" });
    const rule = { field: "externalId", op: "exists" };
    expect(await previewGroup(w.ctx, { rule })).toEqual({ matchCount: 2 });
    expect(await previewGroup(w.ctx, { rule, status: "active" })).toEqual({ matchCount: 1 });
    const gone = { any: [rule, { field: "groups", op: "in", value: [newPublicId("grp")] }] };
    await expect(previewGroup(w.ctx, { rule: gone })).rejects.toMatchObject({
      extras: { errors: [{ pointer: "/rule/any/1/value/0" }] },
    });
  });

  it("is not evaluated while its organisation is suspended", async () => {
    const w = await world();
    const { id, evaluatedAt } = await createGroup(w.ctx, {
      name: "All",
      rule: { field: "status", op: "eq", value: "active" },
    });
    await sql(`UPDATE organisations SET suspended_at = now() WHERE id = $1`, [w.orgId]);
    await sweep(later(w, 60));
    expect((await getGroup(w.ctx, { id })).evaluatedAt).toBe(evaluatedAt);
    await sql(`UPDATE organisations SET suspended_at = NULL WHERE id = $1`, [w.orgId]);
    await sweep(later(w, 61));
    expect((await getGroup(w.ctx, { id })).evaluatedAt).toBe(later(w, 61).toISOString());
  });
});

describe("a rule group of more than 20,000 people", () => {
  it("is evaluated window by window; a change of the rule starts again", async () => {
    const w = await world();
    await sql(
      `INSERT INTO subjects (org_id, id, external_id, attributes) SELECT $1, uuidv7(), 'm-' || n, jsonb_build_object('n', n) FROM generate_series(1, 45000) AS n`,
      [w.orgId],
    );
    await sql("ANALYZE subjects");
    const rule = (value: number) => ({ field: "attributes.n", op: "lte", value });
    const { id, memberCount, evaluatedAt } = await createGroup(w.ctx, { name: "Many", rule: rule(30_000) });
    expect([memberCount, evaluatedAt]).toEqual([20_000, null]);
    expect(await evaluateDueRuleGroup(w.ctx.now)).toBe(true);
    expect(await getGroup(w.ctx, { id })).toMatchObject({ memberCount: 30_000, evaluatedAt: null });
    await updateGroup(w.ctx, { id, rule: rule(10) });
    expect(await sweep(later(w, 1))).toBe(2);
    expect(await getGroup(w.ctx, { id })).toMatchObject({ memberCount: 10, evaluatedAt: w.ctx.now.toISOString() });
    const counts = await told(w, 1);
    expect(counts.map(([type, , count]) => [type, count])).toEqual([
      ["group.members_added", 20_000],
      ["group.members_added", 10_000],
      ["group.updated", undefined],
      ["group.members_removed", 19_990],
      ["group.members_removed", 10_000],
    ]);
  });
});

/**
 * People for each of whom PostgreSQL needs some 0.2 s to evaluate `costly`: 40 times the limit of a rule's statement.
 */
const makeCostly = (w: World) =>
  sql(
    `INSERT INTO subjects (org_id, id, external_id, attributes) SELECT $1, uuidv7(), 'c-' || n, jsonb_build_object('t', repeat('a', 62000)) FROM generate_series(1, 800) AS n`,
    [w.orgId],
  );
const costly = { any: Array(10).fill({ field: "attributes.t", op: "contains", value: `b${"a".repeat(199)}` }) };

describe("a rule that costs too much", () => {
  it("is refused with an explanation when it is saved and when it is previewed", async () => {
    const w = await world();
    await makeCostly(w);
    const refusal = {
      code: "invalid_request",
      extras: { errors: [expect.objectContaining({ pointer: "/rule", code: "too_big" })] },
    };
    await expect(previewGroup(w.ctx, { rule: costly })).rejects.toMatchObject(refusal);
    await expect(createGroup(w.ctx, { name: "Costly", rule: costly })).rejects.toMatchObject(refusal);
    const { id } = await createGroup(w.ctx, { name: "All", rule: { field: "status", op: "eq", value: "active" } });
    await expect(updateGroup(w.ctx, { id, rule: costly })).rejects.toMatchObject(refusal);
    expect(await getGroup(w.ctx, { id })).toMatchObject({ memberCount: 800, evaluationProblem: null });
  });

  it("postpones its group, which says so until it can be evaluated", async () => {
    const w = await world();
    const { id } = await createGroup(w.ctx, { name: "Costly", rule: costly });
    await makeCostly(w);
    await sweep(later(w, 6));
    const problem = async () => (await getGroup(w.ctx, { id })).evaluationProblem;
    expect(await problem()).toBe("too_costly");
    // The rule is no longer costly, but it is not tried before its time.
    await sql(`DELETE FROM subjects WHERE org_id = $1`, [w.orgId]);
    await sweep(later(w, 10));
    expect(await problem()).toBe("too_costly");
    await sweep(later(w, 11));
    expect(await problem()).toBeNull();
  });

  it("is postponed twice as long each time", async () => {
    const w = await world();
    const { id } = await createGroup(w.ctx, { name: "Costly", rule: costly });
    await makeCostly(w);
    for (const minutes of [6, 11, 20]) await sweep(later(w, minutes));
    await sql(`DELETE FROM subjects WHERE org_id = $1`, [w.orgId]);
    await sweep(later(w, 20));
    expect((await getGroup(w.ctx, { id })).evaluationProblem).toBe("too_costly");
    await sweep(later(w, 21));
    expect((await getGroup(w.ctx, { id })).evaluationProblem).toBeNull();
  });
});

describe("organisations", () => {
  const rule = { field: "status", op: "eq", value: "active" };

  it("take turns, however many groups one of them has", async () => {
    const [many, one] = [await world(), await world()];
    for (const name of ["A", "B", "C"]) await createGroup(many.ctx, { name, rule });
    const { id } = await createGroup(one.ctx, { name: "D", rule });
    const now = later(one, 30);
    for (let windows = 0; windows < 2; windows++) await evaluateDueRuleGroup(now);
    expect((await getGroup(one.ctx, { id })).evaluatedAt).toBe(now.toISOString());
    await sweep(now);
  });

  it("can have at most 500 rule groups", async () => {
    const w = await world();
    await sql(
      `INSERT INTO groups (org_id, id, name, kind, rule) SELECT $1, uuidv7(), 'G ' || n, 'rule', $2 FROM generate_series(1, 500) AS n`,
      [w.orgId, JSON.stringify(rule)],
    );
    await expect(createGroup(w.ctx, { name: "One more", rule })).rejects.toMatchObject({
      code: "limit_reached",
      message: expect.stringContaining("500"),
    });
    expect((await createGroup(w.ctx, { name: "Static" })).kind).toBe("static");
    await sql(`DELETE FROM groups WHERE org_id = $1`, [w.orgId]);
  });
});
