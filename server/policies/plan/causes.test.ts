import { beforeAll, describe, expect, it } from "vitest";
import { Feed, fileOf } from "@/server/connectors/testing/feed";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { previewPolicy } from "../preview";
import { inMaths, numbers, Office } from "../testing/office";

beforeAll(ownDatabase);

const day = 24 * 3_600_000;

it("names inactive people, and a connector whose last success is days ago", async () => {
  const w = await world();
  const feed = await Feed.open(w, { name: "SIS" });
  await feed.upload(fileOf(numbers(1, 8)));
  const office = await Office.open(w, { rule: { field: "attributes.department", op: "eq", value: "Physics" } });
  await office.apply();
  for (const n of numbers(1, 6))
    await call("PATCH", `/v1/subjects/${await office.subject(n)}`, {
      token: office.token,
      body: { status: "inactive" },
    });
  const causes = async (at: number) =>
    (await previewPolicy({ ...w.ctx, now: new Date(at) }, { id: office.id })).halt!.causes;
  expect(await causes(Date.now())).toEqual(["6 of the 6 people are inactive now."]);
  expect(await causes(Date.now() + 3 * day + 3_600_000)).toEqual([
    "6 of the 6 people are inactive now.",
    "The connector SIS was last successful 3 days ago.",
  ]);
});

it.each(["rule", "group"])("names the group that people have left, if a %s decides", async (by) => {
  const w = await world();
  const { id } = await createGroup(w.ctx, { name: "Choir" });
  const office = await Office.open(
    w,
    by === "group" ? { groupId: id } : { rule: { field: "groups", op: "contains", value: id } },
  );
  await office.people(numbers(1, 8));
  const externalIds = numbers(1, 8).map((n) => `p-${n}`);
  await addGroupMembers(w.ctx, { id, externalIds });
  await office.apply();
  await removeGroupMembers(w.ctx, { id, externalIds });
  expect((await office.preview()).halt!.causes).toEqual(["8 of the 8 people are not in the group Choir."]);
});

describe("the value that people have", () => {
  const causesAfter = async (rule: object, before: object, after: object[]) => {
    const office = await Office.open(await world(), { rule });
    const write = (n: number, attributes: object) =>
      call("PUT", "/v1/subjects", { token: office.token, body: { externalId: `p-${n}`, attributes } });
    for (const n of numbers(1, 8)) await write(n, before);
    await office.apply();
    for (const [i, attributes] of after.entries()) await write(i + 1, attributes);
    return (await office.preview()).halt!.causes;
  };
  const six = (attributes: object) => numbers(1, 6).map(() => attributes);
  const isActive = { field: "attributes.active", op: "eq", value: true };

  it("is named if a feed spells it differently", async () => {
    expect(await causesAfter(inMaths, { dept: "Maths" }, six({ dept: "Mathe\nmatics" }))).toEqual([
      "attributes.dept is the text “Mathe matics” for 6 of the 6 people, which does not match.",
    ]);
  });

  it("is named with its type if a feed writes a string instead of true", async () => {
    expect(await causesAfter(isActive, { active: true }, six({ active: "true" }))).toEqual([
      "attributes.active is the text “true” for 6 of the 6 people, which does not match.",
    ]);
    expect(await causesAfter(isActive, { active: true }, six({ active: 1 }))).toEqual([
      "attributes.active is the number 1 for 6 of the 6 people, which does not match.",
    ]);
  });

  it("is counted apart from a missing one, and not named where few people share it", async () => {
    const after = ["Law", "Law", "Law", "Arts", null, null].map((dept) => ({ dept }));
    expect(await causesAfter(inMaths, { dept: "Maths" }, after)).toEqual([
      "attributes.dept is missing for 2 of the 6 people, who had it when this policy last ran, less than an hour ago.",
      "attributes.dept does not match for 4 of the 6 people: for 3 it is the text “Law”.",
    ]);
    const each = numbers(1, 6).map((n) => ({ dept: `Department ${n}` }));
    expect(await causesAfter(inMaths, { dept: "Maths" }, each)).toEqual([
      "attributes.dept does not match for 6 of the 6 people.",
    ]);
  });

  it("is named for a field that must not have it", async () => {
    const rule = { all: [inMaths, { not: { field: "attributes.left", op: "eq", value: true } }] };
    const before = { dept: "Maths", left: false };
    expect(await causesAfter(rule, before, six({ left: true }))).toEqual([
      "attributes.left is the value true for 6 of the 6 people, which does not match.",
    ]);
  });

  it("is not named for comparisons that most people never met", async () => {
    const rule = { any: [inMaths, { field: "externalId", op: "eq", value: "dean" }] };
    expect(await causesAfter(rule, { dept: "Maths" }, six({ dept: "Law" }))).toEqual([]);
  });
});

it("says that the rule was changed since the last run", async () => {
  const office = await Office.open(await world());
  await office.people(numbers(1, 8));
  await office.apply();
  const rule = { ...inMaths, value: "Law" };
  await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { rule } });
  expect((await office.preview()).halt!.causes[0]).toBe(
    "The rule was changed since this policy last ran, less than an hour ago.",
  );
});

it("says that exceptions have ended, or deny people the credential", async () => {
  const office = await Office.open(await world());
  await office.people(numbers(1, 4));
  await office.people(numbers(5, 11), "Law");
  const until = new Date(Date.now() + day).toISOString();
  const except = async (n: number, body: object) =>
    call("PUT", `/v1/policies/${office.id}/exceptions/${await office.subject(n)}`, {
      token: office.token,
      body: { reason: "Guest", ...body },
    });
  for (const n of numbers(5, 11)) await except(n, { effect: "grant", until });
  await office.apply();
  await except(1, { effect: "deny" });
  const later = { ...office.world.ctx, now: new Date(Date.now() + 2 * day) };
  expect((await previewPolicy(later, { id: office.id })).halt!.causes).toEqual([
    "1 of the 8 people has an exception that denies the credential.",
    "7 of the 8 people had the credential by an exception that has ended.",
  ]);
});
