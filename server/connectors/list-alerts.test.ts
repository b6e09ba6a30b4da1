import { beforeAll, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { listConnectorAlerts } from "./list-alerts";
import { listFailingConnectors } from "./list-failing";
import { Feed, fileOf, numbers } from "./testing/feed";
import { updateConnector } from "./update";

beforeAll(ownDatabase);

it("says for every requested connector whether its last run failed, however many fail", async () => {
  const w = await world();
  const feeds: Feed[] = [];
  for (const _ of numbers(1, 21)) {
    const feed = await Feed.open(w);
    expect(await feed.upload("name\nNobody\n")).toMatchObject({ status: "failed" });
    feeds.push(feed);
  }
  const connectorIds = feeds.map(({ id }) => id);
  expect(await listFailingConnectors(w.ctx, {})).toHaveLength(20);
  const alerts = await listConnectorAlerts(w.ctx, { connectorIds });
  expect(new Set(alerts.filter(({ fails }) => fails).map(({ connectorId }) => connectorId))).toEqual(
    new Set(connectorIds),
  );
});

it("says which connectors have a run that waits, and never counts a paused connector as failing", async () => {
  const w = await world();
  const [waiting, paused, fine] = [
    await Feed.open(w, { missing: "deactivate" }),
    await Feed.open(w),
    await Feed.open(w, { mode: "delta" }),
  ];
  await waiting.upload(fileOf(numbers(1, 20)));
  expect(await waiting.upload(fileOf([1]))).toMatchObject({ status: "held" });
  expect(await paused.upload("name\nNobody\n")).toMatchObject({ status: "failed" });
  await updateConnector(w.ctx, { id: paused.id, status: "paused" });
  await fine.upload(fileOf([40]));
  const connectorIds = [waiting.id, paused.id, fine.id];
  const told = await listConnectorAlerts(w.ctx, { connectorIds });
  expect(Object.fromEntries(told.map(({ connectorId, ...each }) => [connectorId, each]))).toEqual({
    [waiting.id]: { waits: true, fails: false },
    [paused.id]: { waits: false, fails: false },
    [fine.id]: { waits: false, fails: false },
  });
  const stranger = await world();
  expect(await listConnectorAlerts(stranger.ctx, { connectorIds })).toEqual([]);
});
