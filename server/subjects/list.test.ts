import { describe, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { listSubjects } from "./list";
import { upsertSubject } from "./upsert";

async function people(w: World, names: string[]): Promise<void> {
  for (const [i, displayName] of names.entries()) await upsertSubject(w.ctx, { externalId: `p-${i}`, displayName, email: `${i}@example.org` });
}
const names = (list: { data: { displayName: string }[] }) => list.data.map((s) => s.displayName);

describe("GET /v1/subjects", () => {
  it("walks all pages by cursor, newest first, each subject once", async () => {
    const w = await world();
    await people(w, ["A", "B", "C", "D", "E"]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const list: Awaited<ReturnType<typeof listSubjects>> = await listSubjects(w.ctx, { limit: 2, ...(cursor && { cursor }) });
      seen.push(...names(list));
      expect(list).not.toHaveProperty("total");
      cursor = list.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["E", "D", "C", "B", "A"]);
  });

  it("gives the total with offset", async () => {
    const w = await world();
    await people(w, ["A", "B", "C"]);
    const list = await listSubjects(w.ctx, { limit: 2, offset: 1 });
    expect([names(list), list.total]).toEqual([["B", "A"], 3]);
  });

  it("finds parts of name, e-mail and external id without regard to case and accents", async () => {
    const w = await world();
    await people(w, ["José Núñez", "Zoë 100%", "Łukasz"]);
    for (const [q, expected] of [["nunez", "José Núñez"], ["ZOE", "Zoë 100%"], ["luka", "Łukasz"], ["2@exam", "Łukasz"], ["p-0", "José Núñez"], ["100%", "Zoë 100%"]]) {
      expect(names(await listSubjects(w.ctx, { q: q! }))).toEqual([expected]);
    }
    expect(names(await listSubjects(w.ctx, { q: "%" }))).toEqual(["Zoë 100%"]);
    expect(names(await listSubjects(w.ctx, { q: "J_sé" }))).toEqual([]);
  });

  it("filters by status and external id", async () => {
    const w = await world();
    await people(w, ["A", "B"]);
    await upsertSubject(w.ctx, { externalId: "p-1", status: "inactive" });
    expect(names(await listSubjects(w.ctx, { status: "inactive" }))).toEqual(["B"]);
    expect(names(await listSubjects(w.ctx, { externalId: "p-0" }))).toEqual(["A"]);
  });

  it("refuses a cursor of other filters, of another organisation, and one made up", async () => {
    const [w, other] = [await world(), await world()];
    await people(w, ["A", "B", "C"]);
    const { nextCursor } = await listSubjects(w.ctx, { limit: 1 });
    for (const attempt of [
      listSubjects(w.ctx, { cursor: nextCursor!, status: "active" }),
      listSubjects(other.ctx, { cursor: nextCursor! }),
      listSubjects(w.ctx, { cursor: "bm9uc2Vuc2UgdGhhdCBpcyBsb25nIGVub3VnaA" }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: "invalid_cursor" });
    }
  });

  it.each(["limit=0", "limit=101", "limit=ten", "limit=1.5", "limit=", "offset=-1", "offset=1&cursor=x", "limit=1&limit=2", "colour=blue", "status=gone"])(
    "refuses ?%s",
    async (query) => {
      const { key } = await world();
      expect((await call("GET", `/v1/subjects?${query}`, { token: await key() })).status).toBe(400);
    },
  );
});
