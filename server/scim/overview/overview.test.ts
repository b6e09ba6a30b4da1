import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { flushRequests, mostKept } from "../requests/record";
import { Directory } from "../testing/directory";
import { listDrift } from "./list-drift";
import { listDirectoryGroups } from "./list-groups";
import { listScimRequests } from "./list-requests";
import { listDirectoryUsers } from "./list-users";

let w: World;
let directory: Directory;
beforeAll(async () => {
  w = await world();
  directory = await Directory.open(w, { limits: { deactivations: 1, deactivationPercent: 0 } });
});

const requests = async (only: "all" | "written" | "refused" = "all", of = directory) => {
  await flushRequests();
  return (await listScimRequests(of.world.ctx, { id: of.id, only, limit: 100 })).data;
};

describe("the last requests of a directory", () => {
  it("say what they did, to whom, and why they were refused", async () => {
    const own = await Directory.open(await world(), { limits: { deactivations: 0, deactivationPercent: 0 } });
    const ada = await own.user("ada@example.org", { displayName: "Ada Lovelace" });
    await own.patch(ada.id, [{ op: "replace", path: "title", value: "Dr" }]);
    await own.patch(ada.id, [{ op: "replace", path: "title", value: "Dr" }]);
    await own.patch(ada.id, [{ op: "replace", path: "active", value: false }]);
    const group = await own.group("Staff", { members: [{ value: ada.id }, { value: "nobody" }] });
    await own.scim("POST", "/Users", { userName: "ada@example.org", displayName: "Ada Lovelace" });
    await own.scim("POST", "/Users", { displayName: "Ada Lovelace" });
    await own.find('userName eq "ada@example.org"');
    await own.find('userName eq "nobody@example.org"');
    await own.scim("POST", "/Bulk", {
      Operations: [
        { method: "POST", path: "/Users", data: { userName: "alan@example.org" } },
        { method: "DELETE", path: "/Users/none" },
      ],
    });
    const told = (await requests("all", own)).map(
      ({ method, endpoint, status, effect, error, name, subjectId, groupId }) => ({
        asked: `${method} /${endpoint} ${status}`,
        effect,
        ...(error !== null && { error }),
        ...(name !== null && { about: [name, subjectId ?? groupId] }),
      }),
    );
    const about = ["Ada Lovelace", ada.id];
    expect(told.toReversed()).toEqual([
      { asked: "POST /Users 201", effect: { created: 1 }, about },
      { asked: "PATCH /Users 200", effect: { changed: 1 }, about },
      { asked: "PATCH /Users 200", effect: {}, about },
      { asked: "PATCH /Users 200", effect: { changed: 1, staged: 1 }, about },
      { asked: "POST /Groups 201", effect: { created: 1, added: 1, awaited: 1 }, about: ["Staff", group.id] },
      { asked: "POST /Users 201", effect: { restored: 1 }, about },
      { asked: "POST /Users 400", effect: {}, error: "A user has a userName." },
      { asked: "GET /Users 200", effect: { found: 1 } },
      { asked: "GET /Users 200", effect: { found: 0 } },
      { asked: "POST /Bulk 200", effect: { created: 1, failed: 1 } },
    ]);
    expect((await requests("refused", own)).map(({ endpoint }) => endpoint)).toEqual(["Bulk", "Users"]);
    expect((await requests("written", own)).length).toBe(8);
  });

  it("keep nothing of what was asked for or sent, and lose the name with an erasure", async () => {
    const { id } = await directory.user("secret-name@example.org", { displayName: "Secret-Name" });
    await directory.find('userName eq "secret-name@example.org"');
    await directory.scim("POST", "/Users", { userName: "secret-name@example.org", active: "secret-name" });
    await flushRequests();
    const rows = await sql<{ row: string }>(`SELECT r::text AS row FROM scim_requests r WHERE org_id = $1`, [w.orgId]);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ row }) => /secret-name/i.test(row))).toEqual([]);
    expect((await requests()).some(({ name }) => name === "Secret-Name")).toBe(true);
    await directory.rest("POST", `/subjects/${id}/erase`, { reason: "asked" });
    expect((await requests()).some(({ name }) => /secret-name/i.test(name ?? ""))).toBe(false);
  });

  it("are bounded, those that only read by fewer", async () => {
    const own = await Directory.open(await world());
    await own.user("ada@example.org");
    await flushRequests();
    await sql(
      `INSERT INTO scim_requests (org_id, id, connector_id, at, method, endpoint, status, effect, is_read, duration_ms)
       SELECT org_id, uuidv7(interval '-1 hour'), connector_id, at, method, endpoint, status, effect, n > $2, 1 FROM scim_requests, generate_series(1, $2 + $3::int) AS n WHERE org_id = $1`,
      [own.world.orgId, mostKept.written, mostKept.read],
    );
    await own.find('userName eq "nobody"');
    await requests("all", own);
    const kept = await sql<{ is_read: boolean; n: number }>(
      `SELECT is_read, count(*)::int AS n FROM scim_requests WHERE org_id = $1 GROUP BY is_read ORDER BY is_read`,
      [own.world.orgId],
    );
    expect(kept).toEqual([
      { is_read: false, n: mostKept.written },
      { is_read: true, n: mostKept.read },
    ]);
  });
});

describe("people and groups of a directory", () => {
  it("are listed as it wrote them, beside what is here", async () => {
    const own = await Directory.open(await world(), { limits: { deactivations: 0, deactivationPercent: 0 } });
    const ada = await own.user("ada@example.org", { displayName: "Ada Lovelace" });
    const alan = await own.user("Alan@example.org");
    await own.patch(ada.id, [{ op: "replace", path: "active", value: false }]);
    await own.group("Staff", { members: [{ value: ada.id }, { value: "unknown" }] });
    const { ctx } = own.world;
    const users = await listDirectoryUsers(ctx, { id: own.id, limit: 10 });
    expect(users.data).toMatchObject([
      { subjectId: alan.id, userName: "Alan@example.org", activeThere: true, status: "active" },
      { subjectId: ada.id, displayName: "Ada Lovelace", activeThere: false, status: "active" },
    ]);
    for (const q of ["ALAN", "alan@example"]) {
      const { data } = await listDirectoryUsers(ctx, { id: own.id, q });
      expect(data.map(({ subjectId }) => subjectId)).toEqual([alan.id]);
    }
    expect((await listDirectoryGroups(ctx, { id: own.id })).data).toMatchObject([
      { displayName: "Staff", members: 1, awaited: 1 },
    ]);
  });
});

describe("differences", () => {
  it("name who is in the directory and not here, and who is here and not in the directory, with the cause", async () => {
    const own = await Directory.open(await world(), { limits: { deactivations: 0, deactivationPercent: 0 } });
    const { ctx } = own.world;
    const same = await own.user("same@example.org");
    const inactive = await own.user("inactive@example.org");
    const staged = await own.user("staged@example.org");
    const kept = await own.user("kept@example.org", { externalId: "kept" });
    const elsewhere = await (await Directory.open(own.world)).user("elsewhere@example.org");
    const never = (await own.rest("PUT", "/subjects", { externalId: "never" })).json<{ id: string }>();
    await own.rest("PUT", "/subjects", { externalId: "kept", displayName: "Kept" });
    await own.rest("PATCH", `/subjects/${inactive.id}`, { status: "inactive" });
    for (const { id } of [staged, kept]) await own.patch(id, [{ op: "replace", path: "active", value: false }]);
    await own.group("Staff", { members: [{ value: "unknown" }, { value: same.id }] });
    const side = async (which: "there" | "here") => {
      const { data, total } = await listDrift(ctx, { id: own.id, side: which, offset: 0 });
      expect(total).toBe(data.length);
      return data.map(({ subjectId, externalId, cause }) => [subjectId ?? externalId, cause]);
    };
    expect(await side("there")).toEqual([
      [inactive.id, "inactive"],
      ["unknown", "awaited"],
    ]);
    expect(await side("here")).toEqual(
      [
        [staged.id, "staged"],
        [kept.id, "removed"],
        [never.id, "never"],
      ].toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    );
    expect(elsewhere.id).toBeTruthy();
    const first = await listDrift(ctx, { id: own.id, side: "here", limit: 2 });
    const second = await listDrift(ctx, { id: own.id, side: "here", limit: 2, cursor: first.nextCursor! });
    expect([...first.data, ...second.data]).toHaveLength(3);
  });

  it("takes subjects:read, since it names people", async () => {
    await expect(listDrift(w.as("connectors:read"), { id: directory.id, side: "here" })).rejects.toThrow(
      "subjects:read",
    );
  });
});
