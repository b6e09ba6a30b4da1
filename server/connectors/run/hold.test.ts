import { beforeAll, describe, expect, it } from "vitest";
import { listSubjects } from "@/server/subjects/list";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { Feed, numbers } from "../testing/feed";

beforeAll(ownDatabase);

const people = async ({ ctx }: World) =>
  (await listSubjects(ctx, { sort: "externalId", limit: 100 })).data.map(({ externalId, status }) => [
    externalId,
    status,
  ]);

/** A file whose last column is the id, without a line end after its last row. */
const endingInId = (people: number[]) => ["name,id", ...people.map((n) => `Person ${n},p-${n}`)].join("\n");

const open = async (w: World, body: object = {}) =>
  Feed.open(w, { missing: "deactivate", mapping: { externalId: "id", displayName: "name" }, ...body });

const preview = async (feed: Feed, content: string, body: object = {}) =>
  (
    await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      body: { connectorId: feed.id, content, ...body },
    })
  ).json();

describe("a file that ends in an id without a line end", () => {
  it("is applied completely if it is a list of changes, because such a list always lacks a person with a longer id", async () => {
    const w = await world();
    const feed = await open(w, { mode: "delta" });
    await feed.upload(endingInId(numbers(1, 20)));
    const file = "name,id\nNew name,p-2";
    expect(await preview(feed, file)).toMatchObject({ counts: { updated: 1, rejected: 0 } });
    expect(await feed.upload(file)).toMatchObject({ status: "succeeded", counts: { updated: 1, rejected: 0 } });
  });

  it("is applied completely if it is a single list of changes, or a corrected file of rejected rows, of a source of full files", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(endingInId(numbers(1, 20)));
    const delta = "name,id\nNew name,p-2";
    expect(await preview(feed, delta, { mode: "delta" })).toMatchObject({ counts: { updated: 1, rejected: 0 } });
    const corrected = "Line,What is wrong,name,id\n2,It was wrong.,New name,p-2";
    expect(await preview(feed, corrected)).toMatchObject({ counts: { updated: 1, rejected: 0 } });
    expect(await feed.upload(corrected)).toMatchObject({ status: "succeeded", counts: { updated: 1, rejected: 0 } });
    expect((await people(w)).every(([, status]) => status === "active")).toBe(true);
  });

  it("keeps its last row rejected after an approval, and applies the row when it is sent again unchanged", async () => {
    const w = await world();
    const feed = await open(w);
    await feed.upload(endingInId([2, 1, 10]));
    const file = endingInId([2, 1]).replace("Person 1", "New name");
    const held = await feed.upload(file);
    expect(held).toMatchObject({ status: "held", hold: { reason: "cut_off" }, counts: { rejected: 1, held: 1 } });
    await feed.post(`/runs/${held.id}/approve`, {}, await w.key("connectors:approve"));
    await feed.work();
    expect(await feed.run(held.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 1, rejected: 1 } });
    expect(await feed.upload(file)).toMatchObject({ identical: false, counts: { updated: 1, rejected: 0 } });
    expect(await people(w)).toEqual([
      ["p-1", "active"],
      ["p-10", "inactive"],
      ["p-2", "active"],
    ]);
  });
});

it("the reason for a hold names the missing line end, and not an id, if the id is not the last cell", async () => {
  const w = await world();
  const feed = await open(w);
  const file = (people: number[]) => ["id,name", ...people.map((n) => `p-${n},Person ${n}`)].join("\n");
  await feed.upload(file([1, 2, 3]));
  const form = new FormData();
  form.append("mode", "delta");
  form.append("file", new Blob([`${file([1])}\n`], { type: "text/csv" }), "delta.csv");
  const encoded = new Response(form);
  const delta = await call("POST", `/v1/connectors/${feed.id}/upload`, {
    token: feed.token,
    raw: await encoded.arrayBuffer(),
    headers: { "content-type": encoded.headers.get("content-type")! },
  });
  expect(delta.status).toBe(202);
  await feed.work();
  const hold = {
    reason: "cut_off",
    message: "The previous file ended with a line end and this file does not. It may be cut off.",
  };
  expect(await preview(feed, file([1, 2]))).toMatchObject({ hold });
  expect(await feed.upload(file([1, 2]))).toMatchObject({ status: "held", hold, counts: { rejected: 1, held: 1 } });
});
