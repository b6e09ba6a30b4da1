import { expect, it } from "vitest";
import { upsertSubject } from "@/server/subjects/upsert";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";

it("counts the people who match a rule, only those with a status if one is given", async () => {
  const { ctx, key } = await world();
  for (const status of ["active", "active", "inactive"] as const)
    await upsertSubject(ctx, { externalId: `p-${Math.random()}`, status, attributes: { dept: "Physics" } });
  await upsertSubject(ctx, { externalId: "other", attributes: { dept: "Chemistry" } });
  const token = await key();
  const count = async (more: object) => {
    const rule = { any: [{ field: "attributes.dept", op: "eq", value: "Physics" }] };
    return (await call("POST", "/v1/groups/preview", { token, body: { rule, ...more } })).json()["matchCount"];
  };
  expect([await count({}), await count({ status: "active" }), await count({ status: "inactive" })]).toEqual([3, 2, 1]);
});
