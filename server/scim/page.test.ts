import { beforeAll, describe, expect, it } from "vitest";
import { world } from "@/server/testing/world";
import { Directory } from "./testing/directory";

interface Answer {
  totalResults: number;
  itemsPerPage: number;
  nextCursor?: string;
  scimType?: string;
  Resources: { id: string; userName?: string; displayName?: string }[];
}

let directory: Directory;
beforeAll(async () => {
  directory = await Directory.open(await world());
  for (const name of ["a", "b", "c", "d", "e"]) await directory.user(`${name}@pages.org`);
  for (const name of ["F", "G", "H"]) await directory.group(name);
});

const get = async (path: string) => (await directory.scim("GET", path)).json<Answer>();
const nameOf = ({ userName, displayName }: Answer["Resources"][number]) => userName?.slice(0, 1) ?? displayName;

/** The names on each page, from an empty cursor to the page that has no nextCursor. */
async function pages(path: string): Promise<unknown[][]> {
  const found: unknown[][] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const answer: Answer = await get(`${path}&cursor=${cursor}`);
    found.push(answer.Resources.map(nameOf));
    cursor = answer.nextCursor;
  }
  return found;
}

describe("cursors of RFC 9865", () => {
  it("return users, groups, and both, in the requested order", async () => {
    expect(await pages("/Users?count=2")).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await pages("/Users?count=5")).toEqual([["a", "b", "c", "d", "e"]]);
    expect(await pages("/Users?count=3&sortBy=userName&sortOrder=descending")).toEqual([
      ["e", "d", "c"],
      ["b", "a"],
    ]);
    expect(await pages(`/Users?count=1&filter=${encodeURIComponent('userName sw "b" or userName sw "d"')}`)).toEqual([
      ["b"],
      ["d"],
    ]);
    expect(await pages("/Groups?count=2")).toEqual([["F", "G"], ["H"]]);
    const all = await directory.scim("POST", "/.search", { cursor: "", count: 6 });
    const first = all.json<Answer>();
    expect(first.Resources.map(nameOf)).toEqual(["a", "b", "c", "d", "e", "F"]);
    const rest = await directory.scim("POST", "/.search", { cursor: first.nextCursor, count: 6 });
    expect(rest.json<Answer>().Resources.map(nameOf)).toEqual(["G", "H"]);
    expect(rest.json()).not.toHaveProperty("nextCursor");
    const sorted = { sortBy: "displayName", sortOrder: "descending", count: 4 };
    const last = (await directory.scim("POST", "/.search", { ...sorted, cursor: "" })).json<Answer>();
    const before = (await directory.scim("POST", "/.search", { ...sorted, cursor: last.nextCursor })).json<Answer>();
    expect([last, before].map(({ Resources }) => Resources.length)).toEqual([4, 4]);
    expect(new Set([...last.Resources, ...before.Resources].map(nameOf)).size).toBe(8);
    expect(before).not.toHaveProperty("nextCursor");
  });

  it("repeat and skip nobody when a user of an earlier page is deleted in between", async () => {
    const leaving = await Directory.open(await world());
    const users = [];
    for (const name of ["a", "b", "c"]) users.push(await leaving.user(`${name}@leaving.org`));
    const first = (await leaving.scim("GET", "/Users?count=2&cursor=")).json<Answer>();
    await leaving.scim("DELETE", `/Users/${users[0]!.id}`);
    const second = (await leaving.scim("GET", `/Users?count=2&cursor=${first.nextCursor}`)).json<Answer>();
    expect([first, second].map(({ Resources }) => Resources.map(nameOf))).toEqual([["a", "b"], ["c"]]);
  });

  it("omit startIndex, which an answer without a cursor has", async () => {
    expect(await get("/Users?cursor=&startIndex=3&count=1")).toMatchObject({ totalResults: 5, itemsPerPage: 1 });
    expect(await get("/Users?cursor=&count=1")).not.toHaveProperty("startIndex");
    expect(await get("/Users?count=1")).toMatchObject({ startIndex: 1 });
    expect(await get("/Users?count=1")).not.toHaveProperty("nextCursor");
    expect(await get("/Users?cursor=&count=0")).toMatchObject({ totalResults: 5, Resources: [] });
  });

  it("are refused with another list, filter, order or connection, and if they were changed", async () => {
    const { nextCursor } = await get("/Users?count=2&cursor=");
    for (const path of [
      `/Groups?cursor=${nextCursor}`,
      `/Users?filter=${encodeURIComponent('active eq "true"')}&cursor=${nextCursor}`,
      `/Users?sortBy=userName&cursor=${nextCursor}`,
      `/Users?cursor=x${nextCursor}`,
      `/Users?cursor=${"x".repeat(3000)}`,
    ])
      expect([path, await get(path)]).toEqual([path, expect.objectContaining({ scimType: "invalidCursor" })]);
    const other = await Directory.open(directory.world);
    const foreign = await other.scim("GET", `/Users?cursor=${nextCursor}`);
    expect([foreign.status, foreign.json<Answer>().scimType]).toEqual([400, "invalidCursor"]);
  });

  it("are announced, with startIndex as the usual method", async () => {
    expect(await get("/ServiceProviderConfig")).toMatchObject({
      pagination: {
        cursor: true,
        index: true,
        defaultPaginationMethod: "index",
        defaultPageSize: 100,
        maxPageSize: 1000,
      },
    });
  });
});
