import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bulkCredentials } from "@/server/credentials/bulk";
import { getBulkJob } from "@/server/credentials/get-bulk-job";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { inngest } from "./client";
import { startEngine, type Engine } from "./engine";
import { credentialsDue } from "./events";

// The functions process the work of all organisations, so this file has a database of its own.
let drop: () => Promise<void>;
let engine: Engine;
beforeAll(async () => {
  drop = await ownDatabase();
  engine = await startEngine();
});
afterAll(async () => {
  await engine.stop();
  await drop();
});

test("a queued bulk job is run as soon as it is committed", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const items = Array.from({ length: 450 }, (_, i) => ({ subject: { externalId: `p-${i}` }, templateId: template.id }));
  const { job } = await bulkCredentials(w.ctx, { action: "issue", items, respondAsync: true });
  await vi.waitFor(
    async () => expect(await getBulkJob(w.ctx, { id: job!.id })).toMatchObject({ status: "completed", succeeded: 450 }),
    25_000,
  );
});

test("the expiry of a credential is recorded at its instant, because the function schedules its own next run", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  await issued(w.ctx, template.id, { expiresAt: new Date(Date.now() + 2000).toISOString() });
  await inngest.send(credentialsDue.create({}));
  await vi.waitFor(async () => expect((await eventsOf(w.orgId)).at(-1)!.type).toBe("credential.expired"), 25_000);
});
