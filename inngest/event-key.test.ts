import { afterAll, expect, test, vi } from "vitest";
import { closeDb } from "@/server/core/db";
import { InngestServer } from "./testing/server";

afterAll(() => closeDb());

test("the engine's status reports an event key that the Inngest server refuses, until events are accepted again", async () => {
  const server = new InngestServer();
  vi.stubEnv("INNGEST_BASE_URL", await server.listen());
  vi.stubEnv("INNGEST_EVENT_KEY", "another-key");
  vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
  vi.resetModules();
  const { startEngine } = await import("./engine");
  const engine = await startEngine();
  const problem = async () => (await engine.status()).problem;
  await vi.waitFor(async () => expect(await problem()).toBe("the Inngest server refuses INNGEST_EVENT_KEY"), {
    timeout: 20_000,
  });
  expect(await engine.status()).toMatchObject({ mode: "inngest", ready: true });
  server.eventKey = "another-key";
  await vi.waitFor(async () => expect(await problem()).toBeNull(), { timeout: 20_000 });
  await engine.stop();
  await server.close();
});
