import { afterAll, expect, test, vi } from "vitest";
import { closeDb } from "@/server/core/db";
import { nudge } from "@/server/core/nudge";
import { createTemplate } from "@/server/templates/create";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { startEngine, startedEngine } from "./engine";

afterAll(closeDb);

test("once started, what a command commits is numbered without waiting for a cron", async () => {
  const engine = await startEngine();
  expect(await startEngine()).toBe(engine);
  expect(await startedEngine()).toBe(engine);
  expect(await engine.status()).toMatchObject({ mode: "embedded", ready: true });
  const { ctx, orgId } = await world();
  await createTemplate(ctx, { name: "Card", kind: "membership", publish: true });
  await vi.waitFor(async () => {
    const events = await sql<{ sequence: number | null }>("SELECT sequence FROM events WHERE org_id = $1", [orgId]);
    expect(events.length).toBeGreaterThan(0);
    expect(events.every(({ sequence }) => sequence !== null)).toBe(true);
  });
  await engine.stop();
  expect(startedEngine()).toBeUndefined();
  // A nudge that nobody heeds any more harms nobody.
  nudge("events");
});
