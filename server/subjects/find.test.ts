import { expect, it } from "vitest";
import { world, type World } from "@/server/testing/world";
import { findSubjectsToChoose } from "./find";
import { updateSubject } from "./update";
import { upsertSubject } from "./upsert";

async function people(w: World, rows: readonly (readonly [externalId: string, displayName: string, email?: string])[]) {
  const made = [];
  for (const [externalId, displayName, email] of rows)
    made.push((await upsertSubject(w.ctx, { externalId, displayName, ...(email && { email }) })).subject);
  return made;
}
const find = async (w: World, q: string, limit = 8) => {
  const { data, total } = await findSubjectsToChoose(w.ctx, { q, limit, status: "active" });
  return [data.map((subject) => subject.displayName), total];
};

it("sorts exact matches before matches at the beginning, and these before matches anywhere", async () => {
  const w = await world();
  await people(w, [
    ["r-15", "By id"],
    ["x-1", "R-15", "other@example.edu"],
    ["r-150", "Begins"],
    ["er-15", "Anywhere"],
  ]);
  expect(await find(w, "r-15")).toEqual([["R-15", "By id", "Begins", "Anywhere"], 4]);
  expect(await find(w, "R-15", 2)).toEqual([["R-15", "By id"], 4]);
});

it("ignores case and accents in names and e-mail addresses, and finds words that begin with the text", async () => {
  const w = await world();
  await people(w, [
    ["1", "Zoë Adams", "zoe@example.edu"],
    ["2", "Kazoe"],
    ["3", "Adam Zoellner"],
    ["4", "Zoe"],
  ]);
  expect(await find(w, "zoe")).toEqual([["Zoe", "Zoë Adams", "Adam Zoellner", "Kazoe"], 4]);
  expect(await find(w, "ZOE@example.edu")).toEqual([["Zoë Adams"], 1]);
  expect(await find(w, "adams zoe")).toEqual([["Zoë Adams"], 1]);
});

it("finds an exact id and the beginning of a name, even if more people match than are read", async () => {
  const w = await world();
  const [first] = await people(w, [["n", "Nadia"]]);
  await people(
    w,
    Array.from({ length: 105 }, (_, i) => [`p-${i}`, `Person ${i}`] as const),
  );
  const [names, total] = await find(w, "n");
  expect([(names as string[])[0], total]).toEqual(["Nadia", null]);
  await updateSubject(w.ctx, { id: first!.id, status: "inactive" });
  expect((await find(w, "n"))[0]).not.toContain("Nadia");
});

it("lists the newest people while nothing is typed", async () => {
  const w = await world();
  await people(w, [
    ["1", "First"],
    ["2", "Second"],
  ]);
  expect(await find(w, " ")).toEqual([["Second", "First"], 2]);
});

it("shows nobody of another organisation", async () => {
  const [mine, theirs] = [await world(), await world()];
  await people(theirs, [["r-1", "Theirs"]]);
  expect(await find(mine, "r-1")).toEqual([[], 0]);
});
