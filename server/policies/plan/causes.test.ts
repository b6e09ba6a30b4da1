import { beforeAll, expect, it } from "vitest";
import { Feed, fileOf } from "@/server/connectors/testing/feed";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { previewPolicy } from "../preview";
import { numbers, Office } from "../testing/office";

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

it("says that people are in no group any more", async () => {
  const w = await world();
  const { id } = await createGroup(w.ctx, { name: "Choir" });
  const office = await Office.open(w, { rule: { field: "groups", op: "contains", value: id } });
  await office.people(numbers(1, 8));
  const externalIds = numbers(1, 8).map((n) => `p-${n}`);
  await addGroupMembers(w.ctx, { id, externalIds });
  await office.apply();
  await removeGroupMembers(w.ctx, { id, externalIds });
  expect((await office.preview()).halt!.causes).toEqual(["8 of the 8 people are in no group any more."]);
});
