import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { Feed, fileOf } from "../testing/feed";
import { peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

describe("people who have other sources", () => {
  it("rejects rows of people from other sources if it may not take them over", async () => {
    const w = await world();
    const feed = await Feed.open(w, { adopt: "never" });
    await call("PUT", "/v1/subjects", { token: feed.token, body: { externalId: "p-1", displayName: "Mine" } });
    const run = await feed.upload(fileOf([1, 2]));
    expect(run).toMatchObject({ status: "succeeded", counts: { created: 1, rejected: 1 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 2, code: "not_adopted" }]);
    expect(await peopleOf(w, { externalId: "p-1" })).toMatchObject([{ displayName: "Mine" }]);
    expect(await feed.upload(`${fileOf([1, 2])}\n`)).toMatchObject({ counts: { unchanged: 1, rejected: 1 } });
  });

  it("finds a person by its own key after somebody corrected the external id", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf([1]));
    const [one] = await peopleOf(w);
    await call("PATCH", `/v1/subjects/${one!.id}`, { token: feed.token, body: { externalId: "corrected" } });
    expect(await feed.upload(`${fileOf([1])}\n`)).toMatchObject({
      counts: { unchanged: 1, created: 0, deactivated: 0 },
    });
  });

  it("does not write fields that a connector with a lower priority number maps", async () => {
    const w = await world();
    const registry = await Feed.open(w, { priority: 1, mapping: { externalId: "id", displayName: "name" } });
    const library = await Feed.open(w, { priority: 2 });
    await registry.upload("id,name\np-1,Registered\n");
    await library.upload("id,name,mail,status,dept\np-1,Nick,n@example.edu,,Maths\np-2,Other,,,\n");
    expect(await peopleOf(w)).toMatchObject([
      { displayName: "Registered", email: "n@example.edu", attributes: { department: "Maths" } },
      { displayName: "Other" },
    ]);
  });

  it("does not write them either while that connector is paused", async () => {
    const w = await world();
    const registry = await Feed.open(w, { priority: 1, mapping: { externalId: "id", displayName: "name" } });
    const library = await Feed.open(w, { priority: 2 });
    await registry.upload("id,name\np-1,Registered\n");
    await call("PATCH", `/v1/connectors/${registry.id}`, { token: registry.token, body: { status: "paused" } });
    await library.upload(fileOf([1]));
    expect(await peopleOf(w)).toMatchObject([{ displayName: "Registered", email: "p1@example.edu" }]);
  });
});
