import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { Feed, fileOf, numbers } from "../testing/feed";
import { peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

describe("a file that has lost the values of a column", () => {
  const bare = (people: number[]) =>
    ["id,name,mail,status,dept", ...people.map((n) => `p-${n},,,active,Physics`), ""].join("\n");

  it("is held as a whole, and applied after approval", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf(numbers(1, 30)));
    const before = await peopleOf(w);
    const run = await feed.upload(bare(numbers(1, 31)));
    expect(run).toMatchObject({
      status: "held",
      hold: {
        reason: "lost_values",
        message: expect.stringContaining(
          'The file has nothing in the column "name" for 30 people who have a value there, and fills it for 0.',
        ),
      },
      counts: { rows: 31, created: 0, updated: 0 },
    });
    expect(run.hold!.message).toContain('"mail"');
    expect(run.hold!.message).not.toContain('"dept"');
    expect(await peopleOf(w)).toEqual(before);
    const token = await w.key("connectors:approve");
    expect((await feed.post(`/runs/${run.id}/approve`, { expectedCount: 0 }, token)).status).toBe(202);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { created: 1, updated: 30 } });
    expect((await peopleOf(w)).every(({ displayName, email }) => displayName === "" && email === null)).toBe(true);
  });

  it("is reported by the preview, and not applied if it is cancelled or a newer file comes", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf(numbers(1, 6)));
    const told = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      body: { connectorId: feed.id, content: bare(numbers(1, 6)) },
    });
    expect(told.json()["hold"]).toMatchObject({ reason: "lost_values" });
    const first = await feed.upload(bare(numbers(1, 6)));
    await feed.post(`/runs/${first.id}/cancel`, {}, await w.key("connectors:approve", "connectors:run"));
    const second = await feed.upload(bare(numbers(1, 6)));
    expect(second).toMatchObject({ status: "held" });
    await feed.upload(fileOf(numbers(1, 7)));
    await feed.work();
    expect(await feed.run(second.id)).toMatchObject({ status: "cancelled", errorSummary: { code: "superseded" } });
    expect((await peopleOf(w)).map(({ displayName }) => displayName)).toContain("Person 1");
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });

  it("needs a second approval for deactivations above the limit", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(bare(numbers(1, 9)));
    expect(run).toMatchObject({ status: "held", hold: { reason: "lost_values" } });
    const token = await w.key("connectors:approve");
    await feed.post(`/runs/${run.id}/approve`, {}, token);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "held", hold: { reason: "limit" }, counts: { held: 21 } });
  });

  it("is not held if the column was empty before, few people lose a value, or many keep theirs", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const file = (lines: [number, string][]) =>
      ["id,name,mail,status,dept", ...lines.map(([n, dept]) => `p-${n},Person ${n},,,${dept}`), ""].join("\n");
    await feed.upload(file(numbers(1, 20).map((n) => [n, n <= 4 ? "Law" : ""])));
    expect(await feed.upload(file(numbers(1, 20).map((n) => [n, ""])))).toMatchObject({ counts: { updated: 4 } });
    await feed.upload(file(numbers(1, 20).map((n) => [n, "Law"])));
    expect(await feed.upload(file(numbers(1, 20).map((n) => [n, n <= 3 ? "Law" : ""])))).toMatchObject({
      counts: { updated: 17 },
    });
  });

  it("deletes its held rows of people who are erased", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf(numbers(1, 6)));
    await feed.upload(bare(numbers(1, 6)));
    const [one] = await peopleOf(w, { externalId: "p-1" });
    await call("POST", `/v1/subjects/${one!.id}/erase`, { token: feed.token, body: { reason: "Asked" } });
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1 AND key = 'p-1'`, [w.orgId])).toEqual([]);
  });
});
