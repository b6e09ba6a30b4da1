import { afterEach, expect, test, vi } from "vitest";
import { InngestServer } from "./testing/server";

afterEach(() => vi.unstubAllEnvs());

test("functions are registered repeatedly, and `done` says whether the last registration was accepted", async () => {
  const server = new InngestServer();
  vi.stubEnv("INNGEST_BASE_URL", await server.listen());
  vi.stubEnv("INNGEST_EVENT_KEY", server.eventKey);
  vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
  // Import the modules anew, so that they read the environment of a process that uses an Inngest server.
  vi.resetModules();
  const { keepRegistered } = await import("./register");
  const registration = keepRegistered("http://bonafide.example.edu/api/inngest", { everyMs: 5, retryMs: 5000 });
  // An Inngest server that restarts with an empty store learns the functions again by these repeats.
  await vi.waitFor(() => expect(server.registrations.length).toBeGreaterThan(2), 20_000);
  expect(registration.done).toBe(true);
  server.refuses = true;
  await vi.waitFor(() => expect(registration.done).toBe(false), 20_000);
  registration.stop();
  await server.close();
});

test("registration is retried until the server is available", async () => {
  const server = new InngestServer();
  server.refuses = true;
  vi.stubEnv("INNGEST_BASE_URL", await server.listen());
  vi.stubEnv("INNGEST_EVENT_KEY", server.eventKey);
  vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
  vi.resetModules();
  const { keepRegistered } = await import("./register");
  const registration = keepRegistered("http://bonafide.example.edu/api/inngest", { retryMs: 5 });
  await vi.waitFor(() => expect(server.refusals).toBeGreaterThan(2), 20_000);
  expect(registration.done).toBe(false);
  server.refuses = false;
  await vi.waitFor(() => expect(registration.done).toBe(true), 20_000);
  registration.stop();
  await server.close();
});
