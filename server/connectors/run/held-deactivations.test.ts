import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { listHeldRuns } from "../list-held-runs";
import { Feed, fileOf, numbers } from "../testing/feed";
import { peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

describe("deactivations above the limit", () => {
  it("cannot be approved after a newer file replaced them, and the error names the newer file", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const held = await feed.upload(fileOf(numbers(1, 15)));
    await feed.upload(fileOf(numbers(1, 28)));
    const approver = await w.key("connectors:approve", "connectors:read");
    const refused = await feed.post(`/runs/${held.id}/approve`, {}, approver);
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({
        code: "run_state",
        decidedBy: null,
        detail: expect.stringContaining("A newer file replaced this one meanwhile.") as string,
      }),
    ]);
  });

  it("wait for approval while all other changes are applied; an approval applies exactly them", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const file = fileOf(numbers(1, 15)).replace("Person 1,", "Renamed,");
    const run = await feed.upload(`${file}p-31,New,,,\n`);
    expect(run).toMatchObject({
      status: "held",
      hold: { reason: "limit", limit: 10 },
      counts: { rows: 16, created: 1, updated: 1, unchanged: 14, deactivated: 0, held: 15 },
    });
    expect((await peopleOf(w, { status: "inactive" })).length).toBe(0);
    expect(await feed.removals(run.id)).toHaveLength(15);
    expect(await listHeldRuns(w.ctx, {})).toMatchObject([{ id: run.id, connectorId: feed.id, held: 15 }]);
    const usual = await feed.post(`/runs/${run.id}/approve`);
    expect([usual.status, usual.json()["code"]]).toEqual([403, "insufficient_scope"]);
    const approver = await w.key("connectors:approve", "connectors:read");
    const approved = await feed.post(`/runs/${run.id}/approve`, {}, approver);
    expect([approved.status, approved.json()]).toEqual([202, expect.objectContaining({ status: "running" })]);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 15, held: 0 } });
    expect((await peopleOf(w, { status: "inactive" })).map(({ externalId }) => externalId).toSorted()).toEqual(
      numbers(16, 30).map((n) => `p-${n}`),
    );
    expect(await listHeldRuns(w.ctx, {})).toEqual([]);
    const again = await feed.post(`/runs/${run.id}/approve`, {}, approver);
    expect([again.status, again.json()]).toEqual([
      409,
      expect.objectContaining({ code: "run_state", decidedBy: expect.objectContaining({ type: "api_key" }) }),
    ]);
  });

  it("make people missing only once they are approved, but not whom a newer file of changes lists", async () => {
    const w = await world();
    const registry = await Feed.open(w, { missing: "deactivate", priority: 1 });
    const library = await Feed.open(w, { mode: "delta", priority: 2 });
    await registry.upload(fileOf(numbers(1, 30)));
    await library.upload(fileOf([20, 21]));
    const run = await registry.upload(fileOf(numbers(1, 15)));
    expect(run).toMatchObject({ status: "held", counts: { held: 13 } });
    const missing = async (n: number) =>
      (await peopleOf(w, { externalId: `p-${n}` }))[0]!.sources.find(({ id }) => id === registry.id)!.missingSince;
    expect([await missing(20), await missing(30)]).toEqual([null, null]);
    const form = new FormData();
    form.set("mode", "delta");
    form.set("file", new Blob([fileOf([21, 22])]), "some.csv");
    const body = new Response(form);
    await registry.queue(new Uint8Array(await body.arrayBuffer()), {
      "content-type": body.headers.get("content-type")!,
    });
    await registry.work();
    await registry.post(`/runs/${run.id}/approve`, { expectedCount: 12 }, await w.key("connectors:approve"));
    await registry.work();
    expect(await registry.run(run.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 12, held: 0 } });
    expect(await missing(20)).not.toBeNull();
    expect([await missing(21), await missing(22)]).toEqual([null, null]);
    // The registry no longer lists p-20, so it decides nothing about them.
    await library.upload(fileOf([20, 21]).replaceAll("Person", "Reader"));
    const names = (await peopleOf(w)).map(({ displayName }) => displayName);
    expect(names).toEqual(expect.arrayContaining(["Reader 20", "Person 21"]));
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });

  it("are counted over 24 hours, whether by status or by absence", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    expect(await feed.upload(fileOf(numbers(1, 24)))).toMatchObject({
      status: "succeeded",
      counts: { deactivated: 6 },
    });
    const inactive = fileOf(numbers(20, 24), "inactive").split("\n").slice(1).join("\n");
    const run = await feed.upload(fileOf(numbers(1, 19)) + inactive);
    expect(run).toMatchObject({ status: "held", counts: { held: 5, deactivated: 0, unchanged: 24 } });
    expect(run.hold!.message).toContain("after 6 in the last 24 hours");
    // A day later, the first six no longer count.
    await sql(`UPDATE connector_removals SET applied_at = applied_at - interval '25 hours' WHERE org_id = $1`, [
      w.orgId,
    ]);
    expect(await feed.upload(`${fileOf(numbers(1, 19))}${inactive}\n`)).toMatchObject({
      status: "succeeded",
      counts: { deactivated: 5 },
    });
    expect(await feed.run(run.id)).toMatchObject({ status: "cancelled", errorSummary: { code: "superseded" } });
  });

  it("are dropped when the run is cancelled", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    expect((await feed.post(`/runs/${run.id}/cancel`)).status).toBe(403);
    const approver = await w.key("connectors:approve", "connectors:read");
    expect((await feed.post(`/runs/${run.id}/cancel`, {}, approver)).json()).toMatchObject({
      status: "cancelled",
      counts: { held: 0 },
    });
    await feed.work();
    expect((await peopleOf(w, { status: "inactive" })).length).toBe(0);
    expect((await feed.removals(run.id)).every(({ state }) => state === "dropped")).toBe(true);
  });

  it.each([
    ["PATCH", (w: World, id: string, status: string) => [`/v1/subjects/${id}`, { status }] as const],
    ["PUT", (_: World, __: string, status: string) => ["/v1/subjects", { externalId: "p-2", status }] as const],
  ])("do not return for somebody who was deactivated and activated here (%s)", async (method, request) => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    const [someone] = await peopleOf(w, { externalId: "p-2" });
    for (const status of ["inactive", "active"]) {
      const [path, body] = request(w, someone!.id, status);
      expect((await call(method, path, { token: feed.token, body })).status).toBe(200);
    }
    expect((await feed.removals(run.id)).filter(({ state }) => state === "dropped")).toMatchObject([
      { externalId: "p-2" },
    ]);
    const approver = await w.key("connectors:approve", "connectors:read");
    expect((await feed.post(`/runs/${run.id}/approve`, { expectedCount: 28 }, approver)).status).toBe(202);
    await feed.work();
    expect((await peopleOf(w, { status: "active" })).map(({ externalId }) => externalId).toSorted()).toEqual([
      "p-1",
      "p-2",
    ]);
  });

  it("are dropped when their connector is deleted, and its runs are no longer found", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    await feed.delete();
    await feed.work();
    for (const path of ["", "/errors", "/removals"])
      expect((await feed.get(`/runs/${run.id}${path}`)).status).toBe(404);
    expect(
      await sql(
        `SELECT r.status, r.held, count(m.*) FILTER (WHERE m.state = 'staged') AS staged FROM connector_runs r
         JOIN connector_removals m ON m.org_id = r.org_id AND m.run_id = r.id WHERE r.org_id = $1 GROUP BY r.id, r.status, r.held`,
        [w.orgId],
      ),
    ).toEqual([{ status: "cancelled", held: 0, staged: 0 }]);
    expect((await peopleOf(w, { status: "inactive" })).length).toBe(0);
  });

  it("are refused at the approval if some of them are no longer due, unless the new count is confirmed", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    await call("PUT", "/v1/subjects", { token: feed.token, body: { externalId: "p-2", displayName: "By hand" } });
    const approver = await w.key("connectors:approve", "connectors:read");
    const refused = await feed.post(`/runs/${run.id}/approve`, {}, approver);
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: "count_mismatch", count: 28, expectedCount: 29 }),
    ]);
    await feed.post(`/runs/${run.id}/approve`, { expectedCount: 28 }, approver);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 28, held: 0 } });
    expect((await peopleOf(w, { status: "active" })).map(({ externalId }) => externalId)).toEqual(["p-1", "p-2"]);
  });

  it.each([
    ["a column was lost that nothing reads", (file: string) => file.replaceAll(/,[^,]*$/gm, ""), "lost_columns"],
    ["its last byte", (file: string) => file.slice(0, -1), "cut_off"],
    ["the key of a row", (file: string) => `${file},Nameless,,,,\n`, "unknown_rows"],
  ])("wait for approval even below the limit if a file has lost %s", async (_, harm, reason) => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const wide = (people: number[]) => fileOf(people).replaceAll(/(.)$/gm, "$1,x").replace("dept,x", "dept,extra");
    await feed.upload(wide([1, 2, 3]));
    expect(await feed.upload(harm(wide([1, 2])))).toMatchObject({
      status: "held",
      hold: { reason },
      counts: { held: 1 },
    });
    // The next night, the same broken file comes again.
    expect(await feed.upload(`${harm(wide([1, 2])).replace("Person 1", "Renamed")}`)).toMatchObject({
      status: "held",
      hold: { reason },
    });
    expect((await peopleOf(w, { status: "inactive" })).length).toBe(0);
  });
});

it("a lost column holds deactivations by a status column too, of full files and of changes", async () => {
  for (const mode of ["full", "delta"]) {
    const w = await world();
    const feed = await Feed.open(w, { mode });
    const wide = (people: number[], status?: string) =>
      fileOf(people, status).replaceAll(/(.)$/gm, "$1,x").replace("dept,x", "dept,extra");
    await feed.upload(wide([1, 2]));
    expect(await feed.upload(fileOf([1, 2], "inactive"))).toMatchObject({
      status: "held",
      hold: { reason: "lost_columns", message: expect.stringContaining('"extra"') as string },
      counts: { held: 2, deactivated: 0 },
    });
    expect((await peopleOf(w, { status: "inactive" })).length).toBe(0);
    expect(await feed.upload(wide([1, 2], "inactive"))).toMatchObject({ counts: { deactivated: 2 } });
  }
});
