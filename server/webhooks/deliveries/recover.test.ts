import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { recoverWebhookEndpoint } from "./recover";
import { replayMissingEvents } from "./replay-missing";
import { useStage } from "@/server/webhooks/testing/stage";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

describe("recover", () => {
  it("sends what failed or was parked since the given time, once the endpoint is enabled", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen();
    s.advance(hour);
    await disableWebhookEndpoint(s.ctx, { id });
    const since = s.now;
    s.advance(hour);
    await s.happen(2);
    await s.send();
    expect(s.listener.to("/hooks")).toEqual([]);
    await expect(recoverWebhookEndpoint(s.ctx, { id, since: since.toISOString() })).rejects.toMatchObject({
      code: "endpoint_state",
    });
    await enableWebhookEndpoint(s.ctx, { id });
    await s.send();
    expect(s.listener.to("/hooks")).toEqual([]);
    expect(await recoverWebhookEndpoint(s.ctx, { id, since: since.toISOString() })).toMatchObject({ queued: 2 });
    await s.send();
    expect([s.listener.to("/hooks").length, (await s.deliveries(id)).map((d) => d.status)]).toEqual([
      2,
      ["succeeded", "succeeded", "parked"],
    ]);
  });

  it("skips deliveries whose event has expired", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await disableWebhookEndpoint(s.ctx, { id });
    await s.happen(2);
    await enableWebhookEndpoint(s.ctx, { id });
    await sql(
      `DELETE FROM events WHERE org_id = $1 AND id = (SELECT id FROM event_log WHERE org_id = $1 AND type = 'subject.created' ORDER BY sequence DESC LIMIT 1)`,
      [s.world.orgId],
    );
    expect(await recoverWebhookEndpoint(s.ctx, { id, since: "2026-01-01T00:00:00Z" })).toMatchObject({ queued: 1 });
  });
});

describe("replay_missing", () => {
  it("sends the events that the endpoint subscribes to now and never received, and sends them once", async () => {
    const s = stage();
    await s.happen(2);
    const { id } = await s.endpoint("/hooks", { eventTypes: ["credential.*"] });
    await s.happen();
    await updateWebhookEndpoint(s.ctx, { id, eventTypes: ["subject.created"] });
    await s.happen();
    const since = new Date(s.now.getTime() - hour).toISOString();
    expect(await replayMissingEvents(s.ctx, { id, since })).toMatchObject({ queued: 3 });
    expect(await replayMissingEvents(s.ctx, { id, since })).toMatchObject({ queued: 0 });
    await s.send();
    const sequences = s.listener.to("/hooks").map((r) => (JSON.parse(r.body) as { sequence: number }).sequence);
    expect([sequences.length, new Set(sequences).size]).toEqual([4, 4]);
    expect((await s.deliveries(id)).map((d) => d.trigger).sort()).toEqual(["event", "replay", "replay", "replay"]);
  });
});

describe.each([
  ["recover", recoverWebhookEndpoint],
  ["replay_missing", replayMissingEvents],
] as const)("the span of %s", (_, operation) => {
  it("is refused if it cannot contain anything", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    const at = (ms: number) => new Date(s.now.getTime() + ms).toISOString();
    for (const [span, pointer] of [
      [{ since: at(hour) }, "/since"],
      [{ since: at(-hour), until: at(-hour) }, "/until"],
      [{ since: at(-hour), until: at(-2 * hour) }, "/until"],
    ] as const) {
      await expect(operation(s.ctx, { id, ...span })).rejects.toMatchObject({
        code: "invalid_request",
        extras: { errors: [{ pointer }] },
      });
    }
    expect(await operation(s.ctx, { id, since: at(-hour), until: at(hour) })).toMatchObject({ queued: 0 });
  });
});
