import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { bucketOf, durationOf, percentile } from "./buckets";
import { pauseWebhookEndpoint } from "./pause";
import { getWebhookQueue, queueFigures } from "@/server/webhooks/deliveries/queue";
import { getEndpointStatistics, listEndpointStatistics } from "./statistics";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

describe("buckets", () => {
  it("give a duration back within a tenth", () => {
    for (const ms of [0, 1, 7, 80, 640, 5000, 15_000])
      expect(Math.abs(durationOf(bucketOf(ms)) - ms)).toBeLessThanOrEqual(Math.max(1, ms * 0.1));
  });

  it("give a percentile, and null without attempts", () => {
    const counts = [
      { bucket: bucketOf(900), attempts: 5 },
      { bucket: bucketOf(10), attempts: 94 },
      { bucket: bucketOf(9000), attempts: 1 },
    ];
    expect([percentile(counts, 0.5), percentile(counts, 0.95), percentile(counts, 0.99), percentile([], 0.95)]).toEqual(
      [durationOf(bucketOf(10)), durationOf(bucketOf(900)), durationOf(bucketOf(900)), null],
    );
  });
});

describe("an endpoint's statistics", () => {
  it("count attempts by hour, over a day and a week", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    const idle = await s.endpoint("/idle", { eventTypes: ["group.*"] });
    s.listener.answer = (_, response) => response.writeHead(500).end();
    await s.happen(2);
    await s.send();
    s.listener.answer = (_, response) => response.writeHead(200).end();
    s.advance(48 * hour);
    await s.happen(6);
    await s.send();
    const statistics = await getEndpointStatistics(s.ctx, { id });
    expect(statistics.last24Hours).toEqual({ attempts: 8, succeeded: 8, successRate: 1, p95Ms: expect.any(Number) });
    expect(statistics.last7Days).toMatchObject({ attempts: 10, succeeded: 8, successRate: 0.8 });
    expect([statistics.hours.length, statistics.hours.at(-1)]).toEqual([
      24,
      { hour: new Date(Math.floor(s.now.getTime() / hour) * hour).toISOString(), succeeded: 8, failed: 0 },
    ]);
    const all = await listEndpointStatistics(s.ctx, {});
    expect(all.data.map((each) => [each.endpointId, each.last7Days.successRate])).toEqual([
      [idle.id, null],
      [id, 0.8],
    ]);
    const [first] = (await listEndpointStatistics(s.ctx, { limit: 1 })).data;
    expect(first!.endpointId).toBe(idle.id);
    expect(await listEndpointStatistics(s.ctx, { status: "paused", offset: 0 })).toEqual({
      data: [],
      nextCursor: null,
      total: 0,
    });
  });
});

describe("the queue's figures", () => {
  it("count due, retrying and paused deliveries, and attempts by result", async () => {
    const s = stage();
    await s.endpoint("/failing");
    const paused = await s.endpoint("/paused");
    s.listener.answer = (request, response) => response.writeHead(request.path === "/failing" ? 500 : 200).end();
    await s.happen();
    await s.send();
    await pauseWebhookEndpoint(s.ctx, { id: paused.id });
    const dueAt = s.now;
    await s.happen(2);
    s.advance(1000);
    expect(await getWebhookQueue(s.ctx, {})).toEqual({
      object: "webhook_queue",
      unsequencedEvents: 0,
      oldestUnsequencedAt: null,
      dueDeliveries: 2,
      oldestDueAt: dueAt.toISOString(),
      inFlightDeliveries: 0,
      retryingDeliveries: 1,
      pausedDeliveries: 2,
      parkedDeliveries: 0,
      succeededAttempts: 1,
      failedAttempts: 1,
    });
    expect(await queueFigures(s.now)).toMatchObject({ dueDeliveries: 2 });
  });
});
