import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { Feed, fileOf } from "../testing/feed";
import { eventTypesOf, peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

describe("people whom a run deactivates", () => {
  it("lists the line of the file that deactivated a person, if no approval was needed", async () => {
    const feed = await Feed.open(await world());
    await feed.upload(fileOf([1, 2]));
    const run = await feed.upload(`${fileOf([1])}p-2,Person 2,,inactive,\n`);
    expect(run).toMatchObject({ counts: { deactivated: 1 } });
    expect((await feed.get(`/runs/${run.id}/removals`)).json()["data"]).toMatchObject([
      { externalId: "p-2", cause: "status", line: 3, state: "applied" },
    ]);
  });

  it("deactivates people who are missing from a full file, and reactivates them when they return", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } });
    await feed.upload(fileOf([1, 2, 3]));
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({
      status: "succeeded",
      counts: { unchanged: 2, deactivated: 1 },
    });
    const [gone] = await peopleOf(w, { externalId: "p-3" });
    expect(gone).toMatchObject({ status: "inactive", sources: [{ id: feed.id, missingSince: expect.any(String) }] });
    expect((await eventTypesOf(w)).at(-1)).toBe("subject.deactivated");
    await feed.upload(fileOf([1, 2, 3]));
    expect(await peopleOf(w, { externalId: "p-3" })).toMatchObject([
      { status: "active", sources: [{ missingSince: null }] },
    ]);
  });

  it("reactivates people who return without a status after they were missing", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const file = (people: number[]) => fileOf(people, "");
    await feed.upload(file([1, 2]));
    expect(await feed.upload(file([1]))).toMatchObject({ counts: { deactivated: 1 } });
    await feed.upload(file([1, 2]));
    expect(await peopleOf(w, { externalId: "p-2" })).toMatchObject([{ status: "active" }]);
    // A status of the row decides.
    await feed.upload(file([1]));
    await feed.upload(`${file([1])}p-2,Person 2,,inactive,\n`);
    expect(await peopleOf(w, { externalId: "p-2" })).toMatchObject([{ status: "inactive" }]);
  });

  it("reactivates people whom another connector than the one that deactivated them lists, once", async () => {
    const w = await world();
    const body = { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } };
    const [one, other, third] = [await Feed.open(w, body), await Feed.open(w, body), await Feed.open(w, body)];
    const statusOf = async (n: number) => (await peopleOf(w, { externalId: `p-${n}` }))[0]!.status;
    await one.upload(fileOf([1, 2, 3]));
    await other.upload(fileOf([2, 3, 4]));
    await one.upload(fileOf([1]));
    expect(await other.upload(fileOf([4]))).toMatchObject({ counts: { deactivated: 2 } });
    // Both connectors had p-2 and then lacked them. The third one never had p-3.
    expect(await one.upload(fileOf([1, 2]))).toMatchObject({ counts: { updated: 1 } });
    expect(await third.upload(fileOf([3]))).toMatchObject({ counts: { updated: 1 } });
    expect([await statusOf(2), await statusOf(3)]).toEqual(["active", "active"]);
    // The absence has ended. A person who is deactivated here now stays inactive, whichever connector lists them.
    const [two] = await peopleOf(w, { externalId: "p-2" });
    await call("PATCH", `/v1/subjects/${two!.id}`, { token: one.token, body: { status: "inactive" } });
    await third.upload(fileOf([2, 3]));
    await other.upload(fileOf([2, 4]));
    expect(await statusOf(2)).toBe("inactive");
  });

  it("leaves missing people as they are if the connector keeps them or its files list only changes", async () => {
    for (const body of [{}, { mode: "delta", missing: "deactivate" }]) {
      const w = await world();
      const feed = await Feed.open(w, body);
      await feed.upload(fileOf([1, 2, 3]));
      expect(await feed.upload(fileOf([1]))).toMatchObject({ counts: { unchanged: 1, deactivated: 0 } });
      expect((await peopleOf(w)).map(({ status }) => status)).toEqual(["active", "active", "active"]);
    }
  });

  it("does not deactivate missing people whom it does not provide, or whom another source provides too", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const other = await Feed.open(w, { missing: "deactivate" });
    const put = (externalId: string) => call("PUT", "/v1/subjects", { token: feed.token, body: { externalId } });
    await put("p-9");
    await put("p-2");
    await other.upload(fileOf([3, 4]));
    await feed.upload(fileOf([1, 2, 3]));
    await feed.upload(fileOf([5]));
    expect((await peopleOf(w, { status: "inactive" })).map(({ externalId }) => externalId)).toEqual(["p-1"]);
    // Now they are missing from the other connector too, so no source provides them.
    await other.upload(fileOf([4]));
    expect((await peopleOf(w, { status: "inactive" })).map(({ externalId }) => externalId)).toEqual(["p-1", "p-3"]);
  });

  it("deactivates nobody whose status another connector writes, or whose first row says active", async () => {
    const w = await world();
    const registry = await Feed.open(w, { priority: 1, mapping: { externalId: "id", status: "status" } });
    const library = await Feed.open(w, { priority: 2, limits: { deactivations: 0, deactivationPercent: 0 } });
    await registry.upload("id,status\np-1,active\n");
    await library.upload(fileOf([2]));
    const run = await library.upload(`${fileOf([1], "inactive")}p-2,Two,,active,\np-2,Two,,inactive,\n`);
    expect(run).toMatchObject({ status: "succeeded", counts: { deactivated: 0, held: 0, rejected: 1 } });
    expect((await peopleOf(w)).map(({ status }) => status)).toEqual(["active", "active"]);
    expect(await registry.upload("id,status\np-1,inactive\n")).toMatchObject({ counts: { deactivated: 1 } });
  });

  it("deactivates by a status column only people whom no other source keeps active", async () => {
    const w = await world();
    const [one, other] = [await Feed.open(w), await Feed.open(w)];
    await call("PUT", "/v1/subjects", { token: one.token, body: { externalId: "p-9" } });
    await one.upload(fileOf([1, 2, 9]));
    await other.upload(fileOf([1]));
    expect(await one.upload(fileOf([1, 2, 9], "inactive"))).toMatchObject({ counts: { deactivated: 1 }, hold: null });
    expect((await peopleOf(w, { status: "inactive" })).map(({ externalId }) => externalId)).toEqual(["p-2"]);
    expect(await other.upload(fileOf([1], "inactive"))).toMatchObject({ counts: { deactivated: 1 } });
  });
});
