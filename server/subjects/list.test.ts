import { describe, expect, it } from "vitest";
import { publicId, type Id } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { listSubjects } from "./list";
import { upsertSubject } from "./upsert";

async function people(w: World, names: string[]): Promise<void> {
  for (const [i, displayName] of names.entries())
    await upsertSubject(w.ctx, { externalId: `p-${i}`, displayName, email: `${i}@example.org` });
}
const names = (list: { data: { displayName: string }[] }) => list.data.map((s) => s.displayName);

describe("GET /v1/subjects", () => {
  it("walks all pages by cursor, newest first, each subject once", async () => {
    const w = await world();
    await people(w, ["A", "B", "C", "D", "E"]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const list: Awaited<ReturnType<typeof listSubjects>> = await listSubjects(w.ctx, {
        limit: 2,
        ...(cursor && { cursor }),
      });
      seen.push(...names(list));
      expect(list).not.toHaveProperty("total");
      cursor = list.nextCursor;
    } while (cursor);
    expect(seen).toEqual(["E", "D", "C", "B", "A"]);
  });

  it("returns the total with offset", async () => {
    const w = await world();
    await people(w, ["A", "B", "C"]);
    const list = await listSubjects(w.ctx, { limit: 2, offset: 1 });
    expect([names(list), list.total]).toEqual([["B", "A"], 3]);
  });

  it("finds parts of name, e-mail and external id, ignoring case and accents", async () => {
    const w = await world();
    await people(w, ["José Núñez", "Zoë 100%", "Łukasz"]);
    for (const [q, expected] of [
      ["nunez", "José Núñez"],
      ["ZOE", "Zoë 100%"],
      ["luka", "Łukasz"],
      ["2@exam", "Łukasz"],
      ["p-0", "José Núñez"],
      ["100%", "Zoë 100%"],
    ]) {
      expect(names(await listSubjects(w.ctx, { q: q! }))).toEqual([expected]);
    }
    expect(names(await listSubjects(w.ctx, { q: "%" }))).toEqual(["Zoë 100%"]);
    expect(names(await listSubjects(w.ctx, { q: "J_sé" }))).toEqual([]);
  });

  it("finds exactly the subjects that contain each word, however short and in any script", async () => {
    const w = await world();
    await people(w, [
      "Anna Xu",
      "Kläß",
      "Məmmədov",
      "田中 太郎",
      "佐藤花子",
      "O'Brien-Smith",
      "Zoë_100%",
      "Ωmega ab",
      "x",
      "İpek",
      "Ｆｕｌｌ",
    ]);
    const rows = await sql<{ id: string; search: string }>(
      `SELECT id, search FROM subjects WHERE org_id = $1 ORDER BY id DESC`,
      [w.orgId],
    );
    const parts = new Set(["zx", "q", "qq", "文", "文字", "ə文", "a.", "'-", "ſ", "MM", "ß"]);
    for (const { search } of rows) {
      const letters = [...search.split("\n")[0]!];
      letters.forEach((_, i) =>
        [1, 2, 3].forEach((n) =>
          parts.add(
            letters
              .slice(i, i + n)
              .join("")
              .trim() || "a",
          ),
        ),
      );
    }
    for (const q of parts) {
      const truth = await sql<{ id: Id<"sub"> }>(
        `SELECT id FROM subjects WHERE org_id = $1 AND (SELECT bool_and(strpos(search, search_fold(word)) > 0) FROM unnest($2::text[]) AS word) ORDER BY id DESC`,
        [w.orgId, q.split(" ")],
      );
      const found = await listSubjects(w.ctx, { q, limit: 100 });
      expect([q, found.data.map(({ id }) => id)]).toEqual([q, truth.map(({ id }) => publicId("sub", id))]);
      expect((await listSubjects(w.ctx, { q, limit: 1, offset: 0 })).total).toBe(truth.length);
    }
  });

  it("pages through search results by cursor and by offset, within a status", async () => {
    const w = await world();
    await people(w, ["Ann", "Bob", "Anna", "Hanna", "Joanna"]);
    await upsertSubject(w.ctx, { externalId: "p-2", status: "inactive" });
    const first = await listSubjects(w.ctx, { q: "ann", limit: 2 });
    const second = await listSubjects(w.ctx, { q: "ann", limit: 2, cursor: first.nextCursor! });
    expect([names(first), names(second), second.nextCursor]).toEqual([["Joanna", "Hanna"], ["Anna", "Ann"], null]);
    expect(names(await listSubjects(w.ctx, { q: "ann", limit: 2, offset: 1 }))).toEqual(["Hanna", "Anna"]);
    const active = await listSubjects(w.ctx, { q: "nn", status: "active", limit: 2 });
    expect(names(active)).toEqual(["Joanna", "Hanna"]);
    expect(
      names(await listSubjects(w.ctx, { q: "nn", status: "active", limit: 2, cursor: active.nextCursor! })),
    ).toEqual(["Ann"]);
  });

  it("filters by status and external id", async () => {
    const w = await world();
    await people(w, ["A", "B"]);
    await upsertSubject(w.ctx, { externalId: "p-1", status: "inactive" });
    expect(names(await listSubjects(w.ctx, { status: "inactive" }))).toEqual(["B"]);
    expect(names(await listSubjects(w.ctx, { externalId: "p-0" }))).toEqual(["A"]);
  });

  it("refuses a cursor of other filters, of another organisation, or one that is made up", async () => {
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

  it.each([
    "limit=0",
    "limit=101",
    "limit=ten",
    "limit=1.5",
    "limit=",
    "offset=-1",
    "offset=1&cursor=x",
    "limit=1&limit=2",
    "colour=blue",
    "status=gone",
  ])("refuses ?%s", async (query) => {
    const { key } = await world();
    expect((await call("GET", `/v1/subjects?${query}`, { token: await key() })).status).toBe(400);
  });
});
