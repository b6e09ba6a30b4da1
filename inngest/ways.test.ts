import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { sequencer, stopSequencer } from "@/server/consumers";
import { queuePool } from "@/server/core/db";
import { log } from "@/server/core/log";
import { setNudge } from "@/server/core/nudge";
import { publishedTemplate } from "@/server/testing/credentials";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { dispatcher, stopDispatcher } from "@/server/webhooks/dispatch/running";
import { Listener } from "@/server/webhooks/testing/listener";
import { inngest } from "./client";
import { createEmbeddedEngine } from "./embedded";
import { holdEngine } from "./engine-holder";
import { signals } from "./events";
import { installNudge } from "./nudge";
import { runBulkJobs } from "./run-bulk-jobs";

// docs/architecture.md describes the path of a request, an event and a job through the files. It must name every file
// on that path.
const page = readFileSync("docs/architecture.md", "utf8").split(/^## /m);
const named = (title: string) =>
  new Set(
    [title, "Everywhere"].flatMap((begin) =>
      [...page.find((part) => part.startsWith(begin))!.matchAll(/`([\w./()[\]-]+\.ts)`/g)].map(([, file]) => file!),
    ),
  );

/** Returns the files of which a named function ran during `work`, except files that only tests use. */
async function filesRunBy(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const ran = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0),
  );
  const files = ran.flatMap(({ url }) => /\/((?:app|inngest|server)\/[^?]+\.ts)/.exec(url)?.[1] ?? []);
  return [...new Set(files)].filter((file) => !/\/testing\/|\/generated\/|\.test\.ts$/.test(file)).toSorted();
}

let w: World;
let token: string;
let templateId: string;
let listener: Listener;
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
  w = await world();
  token = await w.key();
  templateId = (await publishedTemplate(w.ctx)).id;
  listener = await new Listener().start();
  await createWebhookEndpoint(w.ctx, { url: listener.url(), eventTypes: ["credential.issued"] });
  await issue("first");
});
afterAll(async () => {
  setNudge(undefined);
  await stopSequencer();
  await stopDispatcher(5000);
  await listener.close();
  await drop();
});
const issue = (externalId: string) =>
  call("POST", "/v1/credentials", {
    token,
    body: { subject: { externalId, displayName: "Ada" }, templateId, ifExists: "return" },
    headers: { "idempotency-key": externalId },
  });

it("a request runs through no file that docs/architecture.md does not name", async () => {
  const files = await filesRunBy(async () => expect((await issue("second")).status).toBe(201));
  expect(files).toContain("server/credentials/issue-set.ts");
  expect(files.filter((file) => !named("A request").has(file))).toEqual([]);
});

it("an event and its delivery run through no file that docs/architecture.md does not name", async () => {
  const request = named("A request");
  const files = await filesRunBy(async () => {
    installNudge(() => sequencer().wake());
    await issue("third");
    await listener.until(3);
    await dispatcher().settled();
  });
  expect(files).toContain("server/webhooks/dispatch/record.ts");
  expect(files.filter((file) => !named("An event").has(file) && !request.has(file))).toEqual([]);
});

it("a job runs through no file that docs/architecture.md does not name", async () => {
  const before = new Set([...named("A request"), ...named("An event")]);
  const engine = await createEmbeddedEngine({
    client: inngest,
    functions: [runBulkJobs],
    pool: queuePool(),
    signals,
    log: log(),
  });
  holdEngine(engine);
  await engine.start();
  const files = await filesRunBy(async () => {
    const items = Array.from({ length: 501 }, (_, i) => ({ subject: { externalId: `p-${i}` }, templateId }));
    const { id } = (await call("POST", "/v1/credentials/bulk", { token, body: { action: "issue", items } })).json<{
      id: string;
    }>();
    await vi.waitFor(
      async () =>
        expect((await call("GET", `/v1/bulk/${id}`, { token })).json()).toMatchObject({
          status: "completed",
          succeeded: 501,
        }),
      25_000,
    );
    await listener.until(504);
    await dispatcher().settled();
  });
  await engine.stop();
  holdEngine(undefined);
  expect(files).toContain("server/credentials/bulk-run.ts");
  // The README of the embedded engine names each of its files (structure/architecture.test.ts).
  expect(
    files.filter((file) => !file.startsWith("inngest/embedded/") && !named("A job").has(file) && !before.has(file)),
  ).toEqual([]);
});
