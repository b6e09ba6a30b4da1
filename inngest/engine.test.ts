import { afterAll, expect, test, vi } from "vitest";
import { closeDb } from "@/server/core/db";
import { nudge } from "@/server/core/nudge";
import { createTemplate } from "@/server/templates/create";
import { logOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { inngest } from "./client";
import { startEngine } from "./engine";
import { signals } from "./events";

afterAll(closeDb);

test("once the engine is started, the events of a command are numbered without waiting for a cron", async () => {
  const engine = await startEngine();
  expect(await startEngine()).toBe(engine);
  expect(await engine.status()).toMatchObject({ mode: "embedded", ready: true });
  const { ctx, orgId } = await world();
  await createTemplate(ctx, { name: "Card", kind: "membership", publish: true });
  await vi.waitFor(async () => {
    expect((await logOf(orgId)).length).toBeGreaterThan(0);
    expect(await sql("SELECT id FROM event_outbox WHERE org_id = $1", [orgId])).toEqual([]);
  }, 20_000);
  await engine.stop();
  // A nudge after the engine has stopped does nothing.
  nudge("events");
});

test("an engine that starts looks for work of every kind, without waiting for a cron", async () => {
  const { ctx, orgId } = await world();
  await createTemplate(ctx, { name: "Card", kind: "membership", publish: true });
  using send = vi.spyOn(inngest, "send");
  const engine = await startEngine();
  await vi.waitFor(async () => {
    const names = send.mock.calls.map(([event]) => (event as { name: string }).name);
    expect(new Set(names)).toEqual(signals);
    expect(await sql("SELECT id FROM event_outbox WHERE org_id = $1", [orgId])).toEqual([]);
  }, 20_000);
  await engine.stop();
});
