import { beforeAll, expect, it } from "vitest";
import { upsertSubject } from "@/server/subjects/upsert";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { listFeedDifferences, type DifferenceKind } from "./list-differences";
import { Feed, fileOf, numbers } from "./testing/feed";

beforeAll(ownDatabase);

const differing = async (w: World, id: string, kind: DifferenceKind) =>
  (await listFeedDifferences(w.ctx, { id, kind, limit: 100 })).data.map(({ externalId, sources }) => [
    externalId,
    sources,
  ]);

it("the differences of a connector name who is missing and active here, and who is listed and inactive here", async () => {
  const w = await world();
  const feed = await Feed.open(w);
  const other = await Feed.open(w, { name: "Other" });
  await feed.upload(fileOf(numbers(1, 6)));
  await other.upload(fileOf([5]));
  await upsertSubject(w.ctx, { externalId: "p-4", displayName: "By API" });
  expect([await differing(w, feed.id, "missing"), await differing(w, feed.id, "inactive")]).toEqual([[], []]);
  await feed.upload(`${fileOf([1, 2])}p-3,Three,,inactive,\n`);
  await call("PUT", "/v1/subjects", { token: feed.token, body: { externalId: "p-2", status: "inactive" } });
  // p-3 is inactive in the file too, and p-5 belongs to the other connector.
  expect(await differing(w, feed.id, "inactive")).toEqual([["p-2", ["api"]]]);
  expect(await differing(w, feed.id, "missing")).toEqual([
    ["p-4", [expect.stringMatching(/^(api|console)$/)]],
    ["p-6", []],
  ]);
  const { nextCursor } = await listFeedDifferences(w.ctx, { id: feed.id, kind: "missing", limit: 1 });
  expect(
    (await listFeedDifferences(w.ctx, { id: feed.id, kind: "missing", limit: 1, cursor: nextCursor! })).data,
  ).toMatchObject([{ externalId: "p-6" }]);
  expect(await listFeedDifferences(w.ctx, { id: feed.id, kind: "missing", offset: 0 })).toMatchObject({ total: 2 });
  const stranger = await world();
  await expect(listFeedDifferences(stranger.ctx, { id: feed.id, kind: "missing" })).rejects.toMatchObject({
    code: "not_found",
  });
});
