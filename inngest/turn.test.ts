import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Feed, fileOf, numbers } from "@/server/connectors/testing/feed";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { startEngine } from "./engine";

let dropDatabase: () => Promise<void>;
beforeAll(async () => {
  dropDatabase = await ownDatabase();
});
afterAll(() => dropDatabase());

it("a stop waits for the step in progress alone, and the next start continues the import", async () => {
  const feed = await Feed.open(await world());
  const engine = await startEngine();
  const { id } = await feed.queue(fileOf(numbers(1, 20_000)));
  const created = () => sql("SELECT FROM subjects WHERE org_id = $1 LIMIT 1", [feed.world.orgId]);
  await vi.waitFor(async () => expect(await created()).toHaveLength(1), { timeout: 60_000, interval: 5 });
  await engine.stop();
  expect(await feed.run(id)).toMatchObject({ status: "running" });
  const next = await startEngine();
  const finished = { status: "succeeded", counts: { created: 20_000 } };
  await vi.waitFor(async () => expect(await feed.run(id)).toMatchObject(finished), { timeout: 90_000, interval: 200 });
  await next.stop();
});
