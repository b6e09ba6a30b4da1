import { expect, test } from "vitest";
import { world } from "@/server/testing/world";
import { subjectNames } from "./names";
import { upsertSubject } from "./upsert";

test("returns the names of the organisation's own subjects only", async () => {
  const [w, other] = await Promise.all([world(), world()]);
  const { subject } = await upsertSubject(w.ctx, { externalId: "s-1", displayName: "Ada" });
  const { subject: foreign } = await upsertSubject(other.ctx, { externalId: "s-1", displayName: "Eve" });
  expect(await subjectNames(w.ctx, { ids: [subject.id, foreign.id, "sub_nobody"] })).toEqual([
    { id: subject.id, externalId: "s-1", displayName: "Ada", isErased: false },
  ]);
});
