import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { transaction } from "@/server/core/transaction";
import { newId, readId } from "@/server/core/ids";
import { queueEndpointNotices } from "@/server/notifications/endpoint-notices";
import { ownDatabase } from "@/server/testing/own-database";
import { person } from "@/server/testing/person";
import { attemptDelivery, type Attempt } from "./attempt";
import { claimDeliveries, type Claimed } from "./claim";
import { disableWhereDue } from "@/server/webhooks/endpoints/disable-failing";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { Health } from "./health";
import { recordAttempts } from "./record";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";

beforeAll(ownDatabase);
afterEach(() => void vi.useRealTimers());
const stage = useStage();
const hour = 3_600_000;

async function claim(s: Stage, endpointId: string): Promise<Claimed> {
  const [claimed] = await claimDeliveries(
    [{ orgId: s.world.orgId, endpointId: readId("whe", endpointId), slots: 1, after: null }],
    s.now,
    newId("req"),
  );
  return claimed!;
}

/** Attempts a due delivery of the endpoint now; the listener answers with `status`. */
async function attempt(s: Stage, endpointId: string, status: number, claimed?: Claimed): Promise<Attempt> {
  s.listener.answer = (_, response) => response.writeHead(status).end();
  return attemptDelivery(claimed ?? (await claim(s, endpointId)), () => s.now);
}

async function told(health: Health, ...attempts: Attempt[]): Promise<void> {
  await recordAttempts(attempts);
  health.note(attempts);
  await health.write();
}

const healthOf = async (s: Stage, id: string) => {
  const { status, failingSince, lastSuccessAt, lastFailureAt } = await getWebhookEndpoint(s.ctx, { id });
  return { status, failingSince, lastSuccessAt, lastFailureAt };
};

describe("two processes", () => {
  it("see each other's results: a success recorded by one ends the failing state that the other wrote", async () => {
    const s = stage();
    await person(s.world, "owner");
    const { id } = await s.endpoint();
    const [a, b] = [new Health(() => s.now), new Health(() => s.now)];
    await s.happen(2);
    await told(a, await attempt(s, id, 204));
    s.advance(1000);
    await told(b, await attempt(s, id, 500));
    s.advance(6000);
    await told(a, await attempt(s, id, 204));
    expect(await healthOf(s, id)).toMatchObject({ failingSince: null, lastSuccessAt: s.now.toISOString() });
    s.advance(121 * hour);
    await s.happen();
    await told(b, await attempt(s, id, 500));
    expect(await healthOf(s, id)).toMatchObject({ status: "active", failingSince: s.now.toISOString() });
    expect(await queueEndpointNotices(s.now)).toBe(0);
  });

  it("may write their results in any order: a failure before the last success does not make the endpoint failing", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(3);
    const early = await attempt(s, id, 500);
    const earlyAt = s.now.toISOString();
    s.advance(1000);
    const good = await attempt(s, id, 204);
    const goodAt = s.now.toISOString();
    s.advance(1000);
    const late = await attempt(s, id, 503);
    await told(new Health(() => s.now), good);
    await told(new Health(() => s.now), early);
    expect(await healthOf(s, id)).toMatchObject({ failingSince: null, lastSuccessAt: goodAt, lastFailureAt: earlyAt });
    await told(new Health(() => s.now), early, late);
    expect(await healthOf(s, id)).toMatchObject({ failingSince: s.now.toISOString() });
    await told(new Health(() => s.now), good);
    expect(await healthOf(s, id)).toMatchObject({ failingSince: s.now.toISOString(), lastSuccessAt: goodAt });
  });
});

describe("one process", () => {
  it("sets failingSince to the first failure after the last success, in whatever order attempts ended", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(4);
    const attempts: Attempt[] = [];
    const times: string[] = [];
    for (const status of [500, 204, 500, 500]) {
      attempts.push(await attempt(s, id, status));
      times.push(s.now.toISOString());
      s.advance(1000);
    }
    await told(new Health(() => s.now), ...attempts);
    expect(await healthOf(s, id)).toMatchObject({
      failingSince: times[2],
      lastSuccessAt: times[1],
      lastFailureAt: times[3],
    });
    const other = await s.endpoint("/other");
    await s.happen(3);
    const before = await attempt(s, other.id, 500);
    s.advance(1000);
    const good = await attempt(s, other.id, 204);
    s.advance(1000);
    await told(new Health(() => s.now), before, await attempt(s, other.id, 500), good);
    expect(await healthOf(s, other.id)).toMatchObject({ failingSince: s.now.toISOString() });
  });

  it("does not write a success within 10 s of the stored one", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(3);
    const first = s.now.toISOString();
    await told(new Health(() => s.now), await attempt(s, id, 204));
    s.advance(9000);
    await told(new Health(() => s.now), await attempt(s, id, 204));
    expect((await healthOf(s, id)).lastSuccessAt).toBe(first);
    s.advance(2000);
    await told(new Health(() => s.now), await attempt(s, id, 204));
    expect((await healthOf(s, id)).lastSuccessAt).toBe(s.now.toISOString());
  });

  it("writes a second later what it could not write while the row was locked, even if nothing more is sent", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(2);
    const good = await attempt(s, id, 204);
    s.advance(1000);
    const bad = await attempt(s, id, 500);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await transaction(async (tx) => {
      await tx.sql(`SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE`, [readId("whe", id)]);
      await told(new Health(() => s.now), good, bad);
    });
    expect((await healthOf(s, id)).lastSuccessAt).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    while ((await healthOf(s, id)).lastSuccessAt === null);
    expect(await healthOf(s, id)).toMatchObject({
      lastSuccessAt: good.startedAt.toISOString(),
      failingSince: s.now.toISOString(),
    });
  });
});

describe("the health of an endpoint", () => {
  it("failures of the old URL, or from before the endpoint was enabled, do not make it failing", async () => {
    const s = stage();
    const { id } = await s.endpoint("/old");
    await s.happen(5);
    await told(new Health(() => s.now), await attempt(s, id, 500));
    const [old, older, claimed] = [await attempt(s, id, 500), await attempt(s, id, 500), await claim(s, id)];
    s.advance(1000);
    await updateWebhookEndpoint(s.ctx, { id, url: s.listener.url("/new") });
    await told(new Health(() => s.now), old, await attempt(s, id, 500, claimed));
    expect(s.listener.to("/new")).toEqual([]);
    expect(await healthOf(s, id)).toMatchObject({ failingSince: null });
    await told(new Health(() => s.now), await attempt(s, id, 500));
    expect(await healthOf(s, id)).toMatchObject({ failingSince: s.now.toISOString() });
    await disableWebhookEndpoint(s.ctx, { id });
    await updateWebhookEndpoint(s.ctx, { id, url: s.listener.url("/old") });
    s.advance(1000);
    await enableWebhookEndpoint(s.ctx, { id });
    await told(new Health(() => s.now), older);
    expect(await healthOf(s, id)).toMatchObject({ status: "active", failingSince: null });
  });

  it("the endpoint is disabled exactly after 120 h without a success, also right after another failure", async () => {
    const s = stage();
    s.listener.answer = (_, response) => response.writeHead(500).end();
    const { id } = await s.endpoint();
    const since = s.now.getTime();
    s.now = new Date(since + 100 * hour);
    await s.happen();
    await s.send();
    for (const [ms, status] of [
      [120 * hour - 1, "active"],
      [120 * hour, "disabled"],
    ] as const) {
      s.now = new Date(since + ms);
      await s.happen();
      await s.send();
      expect(await healthOf(s, id)).toMatchObject({ status });
    }
  });

  it("disabledAt is the time at which the last failed attempt ended, not when it began", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(2);
    await told(new Health(() => s.now), await attempt(s, id, 500));
    s.advance(121 * hour);
    const last = await attempt(s, id, 500);
    s.advance(5000);
    await told(new Health(() => s.now), last);
    const now = s.now.toISOString();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      status: "disabled",
      disabledAt: now,
      updatedAt: now,
    });
  });

  it("the endpoint stays active if another process has recorded a success meanwhile", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    await told(new Health(() => s.now), await attempt(s, id, 500));
    s.advance(121 * hour);
    await s.happen(2);
    await told(new Health(() => s.now), await attempt(s, id, 204));
    await disableWhereDue({ orgId: s.world.orgId, endpointId: readId("whe", id) }, s.now);
    expect(await healthOf(s, id)).toMatchObject({ status: "active" });
  });
});
