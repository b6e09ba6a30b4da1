import { expect, it } from "vitest";
import { world } from "@/server/testing/world";
import { listAttributeNames } from "./list-attribute-names";
import { upsertSubject } from "./upsert";

it("lists the attribute names of the organisation's people, the most frequent first", async () => {
  const [w, other] = [await world(), await world()];
  await upsertSubject(w.ctx, { externalId: "1", attributes: { dept: "Physics", "a.b": 1, year: null } });
  await upsertSubject(w.ctx, { externalId: "2", attributes: { dept: "Law", grade: { final: 1 } } });
  await upsertSubject(other.ctx, { externalId: "1", attributes: { salary: 1 } });
  expect(await listAttributeNames(w.ctx, {})).toEqual(["dept", "grade"]);
});
