import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { Directory } from "../testing/directory";
import { errorOf, w } from "../testing/opened";
import { openDirectoryOfFour, values } from "../testing/groups";

openDirectoryOfFour();

describe("a list of groups", () => {
  let listed: Directory;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    listed = await Directory.open(w);
    const { id } = await listed.user("in-list@example.org", { externalId: "in-list" });
    for (const name of ["B", "a", "C"])
      ids[name] = (
        await listed.group(name, { externalId: `x-${name}`, ...(name === "a" && { members: values([id]) }) })
      ).id;
  });
  const get = async (query: string) =>
    (await listed.scim("GET", `/Groups?${query}`)).json<{
      totalResults: number;
      startIndex: number;
      itemsPerPage: number;
      Resources: { id: string; displayName: string; members?: unknown[] }[];
    }>();
  const names = async (query: string) => (await get(query)).Resources.map(({ displayName }) => displayName);
  const filtered = (filter: string) => names(`sortBy=displayName&filter=${encodeURIComponent(filter)}`);

  it("has pages by startIndex and count, including an empty page and one past the end", async () => {
    expect(await names("sortBy=displayName&startIndex=2&count=1")).toEqual(["B"]);
    expect(await get("count=0")).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await get("startIndex=50")).toMatchObject({ totalResults: 3, startIndex: 50, Resources: [] });
    expect(await names("sortBy=externalId&sortOrder=descending")).toEqual(["a", "C", "B"]);
    expect(errorOf(await listed.scim("GET", "/Groups?sortBy=members"))[3]).toBe("invalidPath");
  });

  it("is filtered by name, externalId, id and members", async () => {
    expect(await filtered('displayName eq "A"')).toEqual(["a"]);
    expect(await filtered('displayName eq B or externalId eq "x-C"')).toEqual(["B", "C"]);
    expect(await filtered(`id eq "${ids["C"]!}"`)).toEqual(["C"]);
    expect(await filtered("members pr")).toEqual(["a"]);
    expect(await filtered("not (members pr)")).toEqual(["B", "C"]);
    const { id } = (await listed.find('externalId eq "in-list"')).Resources[0]!;
    for (const filter of [`members.value eq "${id}"`, `members[value eq "${id}"]`, `members eq "${id}"`])
      expect(await filtered(filter)).toEqual(["a"]);
    expect(await filtered(`id eq "${ids["B"]!}" and members.value eq "${id}"`)).toEqual([]);
  });

  it("refuses an unsupported filter", async () => {
    for (const filter of ['members.value co "x"', 'owner eq "x"', 'members[display eq "x"]'])
      expect(errorOf(await listed.scim("GET", `/Groups?filter=${encodeURIComponent(filter)}`))).toEqual([
        400,
        "application/scim+json",
        "400",
        "invalidFilter",
      ]);
  });

  it("has fewer groups on a page if they have many members, and cursors lead through all of them", async () => {
    const large = await Directory.open(await world());
    const groups: string[] = [];
    for (let n = 0; n < 3; n++) groups.push((await large.group(`Large ${n}`)).id);
    await sql(
      `INSERT INTO scim_pending_members (org_id, group_id, connector_id, value, created_at)
       SELECT org_id, group_id, connector_id, 'x-' || n, now() FROM scim_groups, generate_series(1, 9000) AS n WHERE org_id = $1`,
      [large.world.orgId],
    );
    const read = async (query: string) =>
      (await large.scim("GET", `/Groups?${query}`)).json<{
        totalResults: number;
        itemsPerPage: number;
        nextCursor?: string;
        Resources: { id: string; members?: unknown[] }[];
      }>();
    expect(await read("count=10")).toMatchObject({ totalResults: 3, itemsPerPage: 2 });
    expect((await read("count=10&startIndex=3")).Resources.map(({ id }) => id)).toEqual([groups[2]]);
    expect(await read("count=10&excludedAttributes=members")).toMatchObject({ itemsPerPage: 3 });
    for (const order of ["", "&sortBy=displayName"]) {
      const first = await read(`count=10&cursor=${order}`);
      const second = await read(`count=10&cursor=${encodeURIComponent(first.nextCursor!)}${order}`);
      expect([...first.Resources, ...second.Resources].map(({ id }) => id)).toEqual(groups);
      expect(second.nextCursor).toBeUndefined();
    }
  });

  it("includes members unless they are excluded, and can be requested by POST .search too", async () => {
    expect((await get("filter=displayName eq a")).Resources[0]).toHaveProperty("members");
    expect((await get("filter=displayName eq a&excludedAttributes=members")).Resources[0]).not.toHaveProperty(
      "members",
    );
    const [only] = (await get("filter=displayName eq a&attributes=displayName")).Resources;
    expect(only).toEqual({ schemas: expect.any(Array), id: ids["a"], displayName: "a" });
    const found = await listed.scim("POST", "/Groups/.search", { filter: 'displayName sw "b"' });
    expect([found.status, found.json()]).toEqual([200, expect.objectContaining({ totalResults: 1 })]);
  });
});
