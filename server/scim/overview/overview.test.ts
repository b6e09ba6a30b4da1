import { beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "@/server/policies/create";
import { publishedTemplate } from "@/server/testing/credentials";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { approveStagedRemovals } from "../removals/approve";
import { flushRequests, mostKept } from "../requests/record";
import { Directory } from "../testing/directory";
import { countDrift } from "./count-drift";
import { listDrift } from "./list-drift";
import { listDirectoryGroups } from "./list-groups";
import { listLastRequests } from "./list-last-requests";
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
  it("show their effects, their people, and why they were refused", async () => {
    const own = await Directory.open(await world(), { limits: { deactivations: 0, deactivationPercent: 0 } });
    const ada = await own.user("ada@example.org", { displayName: "Ada Lovelace" });
    await own.patch(ada.id, [{ op: "replace", path: "title", value: "Dr" }]);
    await own.patch(ada.id, [{ op: "replace", path: "title", value: "Dr" }]);
    await own.patch(ada.id, [
      { op: "replace", path: "shoeSize", value: "42" },
      { op: "replace", path: "password", value: "secret" },
      { op: "replace", path: "id", value: "other" },
      { op: "add", path: "urn:example:own:2.0:User:badge", value: "7" },
    ]);
    await own.patch(ada.id, [{ op: "replace", path: "active", value: false }]);
    const group = await own.group("Staff", { members: [{ value: ada.id }, { value: "nobody" }] });
    await own.scim("POST", "/Users", { userName: "ada@example.org", displayName: "Ada Lovelace" });
    await own.scim("POST", "/Users", { displayName: "Ada Lovelace" });
    await own.find('userName eq "ada@example.org"');
    await own.find('userName eq "nobody@example.org"');
    await own.scim("POST", "/Bulk", {
      Operations: [
        { method: "POST", path: "/Users", bulkId: "alan", data: { userName: "alan@example.org" } },
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
      { asked: "PATCH /Users 200", effect: { changed: 1, ignored: 3 }, about },
      { asked: "PATCH /Users 200", effect: { changed: 1, staged: 1 }, about },
      { asked: "POST /Groups 201", effect: { created: 1, added: 1, awaited: 1 }, about: ["Staff", group.id] },
      { asked: "POST /Users 201", effect: { restored: 1 }, about },
      { asked: "POST /Users 400", effect: {}, error: "A user has a userName." },
      { asked: "GET /Users 200", effect: { found: 1 } },
      { asked: "GET /Users 200", effect: { found: 0 } },
      {
        asked: "POST /Bulk 200",
        effect: { created: 1, failed: 1 },
        error: "There is no such user in this connection.",
      },
    ]);
    await own.rest("PUT", "/subjects", { externalId: "here-1", displayName: "Grace Hopper" });
    const adopted = await own.user("grace@example.org", { externalId: "here-1", displayName: "Grace Hopper" });
    expect((await requests("all", own))[0]).toMatchObject({ effect: { adopted: 1 }, subjectId: adopted.id });
    const people = (await listDirectoryUsers(own.world.ctx, { id: own.id })).data;
    expect(people.map((person) => [person.userName, person.adopted])).toEqual([
      ["grace@example.org", true],
      ["alan@example.org", false],
      ["ada@example.org", false],
    ]);
    expect((await requests("refused", own)).map(({ endpoint }) => endpoint)).toEqual(["Bulk", "Users"]);
    expect((await requests("written", own)).length).toBe(10);
  });

  it("contain nothing of queries and bodies, and lose the name with an erasure", async () => {
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

  it("distinguish a refused list from a refused request for one person", async () => {
    const own = await Directory.open(await world());
    const asked: [string, string, unknown?][] = [
      ["GET", "/Users?filter=nonsense"],
      ["GET", "/Groups?count=many"],
      ["GET", "/Users?cursor=forged"],
      ["POST", "/Users/.search", { filter: "nonsense" }],
      ["POST", "/.search", { filter: "nonsense" }],
      ["GET", "/Users/unknown"],
      ["POST", "/Users", { displayName: "No userName" }],
    ];
    for (const [method, path, body] of asked) await own.scim(method, path, body);
    const told = (await requests("refused", own)).toReversed();
    expect(told.map(({ method, endpoint, effect }) => [method, endpoint, effect.found])).toEqual([
      ["GET", "Users", 0],
      ["GET", "Groups", 0],
      ["GET", "Users", 0],
      ["POST", "Users", 0],
      ["POST", ".search", 0],
      ["GET", "Users", undefined],
      ["POST", "Users", undefined],
    ]);
    expect(await listLastRequests(own.world.ctx, {})).toMatchObject([{ connectorId: own.id, at: expect.any(String) }]);
  });

  it("are limited in number, and those that only read more strictly", async () => {
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
  it("are listed as it wrote them, next to their state here", async () => {
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

  it("are sorted by userName, ignoring case, in pages by cursor", async () => {
    const own = await Directory.open(await world());
    for (const name of ["bob", "Alice", "dora", "Carl"]) await own.user(name);
    const sorted = async (sort: string) => {
      const names: string[] = [];
      let cursor: string | null | undefined;
      do {
        const found: Awaited<ReturnType<typeof listDirectoryUsers>> = await listDirectoryUsers(own.world.ctx, {
          id: own.id,
          sort,
          limit: 3,
          ...(cursor && { cursor }),
        });
        names.push(...found.data.map(({ userName }) => userName));
        cursor = found.nextCursor;
      } while (cursor);
      return names;
    };
    expect(await sorted("userName")).toEqual(["Alice", "bob", "Carl", "dora"]);
    expect(await sorted("-userName")).toEqual(["dora", "Carl", "bob", "Alice"]);
    expect(await sorted("createdAt")).toEqual(["bob", "Alice", "dora", "Carl"]);
  });
});

describe("people whom a directory removed while the removal waits", () => {
  it("are listed with the removal, also if they were deleted, and groups with their removals", async () => {
    const own = await Directory.open(await world(), { limits: { deactivations: 0, deactivationPercent: 0 } });
    const { ctx } = own.world;
    const deactivated = await own.user("deactivated@example.org");
    const deleted = await own.user("deleted@example.org");
    const stays = await own.user("stays@example.org");
    const group = await own.group("Staff", { members: [deactivated, deleted, stays].map(({ id }) => ({ value: id })) });
    const { id: templateId } = await publishedTemplate(ctx);
    await createPolicy(ctx, { name: "Library cards", templateId, groupId: group.id });
    await own.patch(deactivated.id, [{ op: "replace", path: "active", value: false }]);
    await own.scim("DELETE", `/Users/${deleted.id}`);
    await own.patchGroup(group.id, [{ op: "remove", path: "members", value: [{ value: stays.id }] }]);
    const listed = async (q = "") =>
      (await listDirectoryUsers(ctx, { id: own.id, q, offset: 0 })).data.map(
        ({ subjectId, removal, activeThere, status }) => [subjectId, removal, activeThere, status],
      );
    expect(await listed()).toEqual([
      [stays.id, null, true, "active"],
      [deleted.id, "deleted", true, "active"],
      [deactivated.id, "status", false, "active"],
    ]);
    expect(await listed("DELETED@")).toHaveLength(1);
    expect((await listDirectoryGroups(ctx, { id: own.id })).data).toMatchObject([
      { members: 3, leaving: 1, deletedThere: false },
    ]);
    await own.scim("DELETE", `/Groups/${group.id}`);
    expect((await listDirectoryGroups(ctx, { id: own.id, offset: 0 })).data).toMatchObject([
      { members: 3, deletedThere: true },
    ]);
    await approveStagedRemovals(ctx, { id: own.id });
    expect(await listed()).toEqual([
      [stays.id, null, true, "active"],
      [deactivated.id, null, false, "inactive"],
    ]);
    expect((await listDirectoryGroups(ctx, { id: own.id })).data).toEqual([]);
  });
});

describe("differences", () => {
  const drift = async (own: Directory, input: Omit<Parameters<typeof listDrift>[1], "id">) => {
    const { data, total } = await listDrift(own.world.ctx, { id: own.id, offset: 0, ...input });
    expect(total).toBe(data.length);
    return data.map(({ subjectId, externalId, cause }) => [subjectId ?? externalId, cause]);
  };
  const byId = (rows: string[][]) => rows.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));

  it("show who is in the directory and not here, who was sent and is gone now, and who was never sent", async () => {
    const own = await Directory.open(await world(), { limits: { deactivations: 0, deactivationPercent: 0 } });
    const { ctx } = own.world;
    const same = await own.user("same@example.org");
    const inactive = await own.user("inactive@example.org");
    const staged = await own.user("staged@example.org");
    const deleted = await own.user("deleted@example.org");
    const kept = await own.user("kept@example.org", { externalId: "kept" });
    const removed = await own.user("removed@example.org", { externalId: "removed" });
    const elsewhere = await (await Directory.open(own.world)).user("elsewhere@example.org");
    const never = (await own.rest("PUT", "/subjects", { externalId: "never", displayName: "Nora" })).json<{
      id: string;
    }>();
    for (const externalId of ["kept", "removed"])
      await own.rest("PUT", "/subjects", { externalId, displayName: "By hand" });
    await own.rest("PATCH", `/subjects/${inactive.id}`, { status: "inactive" });
    for (const { id } of [staged, kept]) await own.patch(id, [{ op: "replace", path: "active", value: false }]);
    for (const { id } of [deleted, removed]) await own.scim("DELETE", `/Users/${id}`);
    await own.group("Staff", { members: [{ value: "unknown" }, { value: same.id }] });
    expect(await drift(own, { side: "there" })).toEqual([
      [inactive.id, "inactive"],
      ["unknown", "awaited"],
    ]);
    expect(await drift(own, { side: "gone" })).toEqual(
      byId([
        [staged.id, "staged"],
        [deleted.id, "staged"],
        [kept.id, "deactivated"],
        [removed.id, "deleted"],
      ]),
    );
    expect(await drift(own, { side: "never" })).toEqual([[never.id, "never"]]);
    expect(elsewhere.id).toBeTruthy();
    expect(await countDrift(ctx, { id: own.id })).toEqual({
      inactive: 1,
      awaited: 1,
      staged: 2,
      deactivated: 1,
      deleted: 1,
      never: 1,
      memberships: 0,
    });
    expect(await drift(own, { side: "gone", cause: "deleted" })).toEqual([[removed.id, "deleted"]]);
    expect(await drift(own, { side: "there", cause: "awaited" })).toEqual([["unknown", "awaited"]]);
    expect(await drift(own, { side: "never", q: "NOR" })).toEqual([[never.id, "never"]]);
    expect(await drift(own, { side: "never", q: "Alan" })).toEqual([]);
    const sources = async (side: "gone" | "never") =>
      (await listDrift(ctx, { id: own.id, side, q: side === "gone" ? "By hand" : "" })).data.map((row) => row.sources);
    expect([await sources("gone"), await sources("never")]).toEqual([[["api"], ["api"]], [["api"]]]);
  });

  it("return all people by cursor, which is bound to the cause and the search", async () => {
    const own = await Directory.open(await world());
    for (const externalId of ["n-1", "n-2", "n-3"]) await own.rest("PUT", "/subjects", { externalId });
    const { ctx } = own.world;
    const first = await listDrift(ctx, { id: own.id, side: "never", limit: 2 });
    const cursor = first.nextCursor!;
    const second = await listDrift(ctx, { id: own.id, side: "never", limit: 2, cursor });
    expect([...first.data, ...second.data].map((row) => row.externalId)).toEqual(["n-1", "n-2", "n-3"]);
    await expect(listDrift(ctx, { id: own.id, side: "never", limit: 2, cursor, q: "n" })).rejects.toThrow();
  });

  it("require subjects:read, because they name people", async () => {
    const asked = { id: directory.id };
    await expect(listDrift(w.as("connectors:read"), { ...asked, side: "gone" })).rejects.toThrow("subjects:read");
    await expect(countDrift(w.as("connectors:read"), asked)).rejects.toThrow("subjects:read");
  });
});
