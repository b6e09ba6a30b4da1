import { afterEach, expect, test, vi } from "vitest";
import { InngestServer } from "./testing/server";

afterEach(() => vi.unstubAllEnvs());

test("the functions are told again and again, and it is known whether they were taken the last time", async () => {
  const server = new InngestServer();
  vi.stubEnv("INNGEST_BASE_URL", await server.listen());
  vi.stubEnv("INNGEST_EVENT_KEY", server.eventKey);
  vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
  // What read the configuration before reads it anew: this is a process beside an Inngest server.
  vi.resetModules();
  const { keepRegistered } = await import("./register");
  const registration = keepRegistered("http://bonafide.example.edu/api/inngest", { everyMs: 5, retryMs: 5000 });
  // One that was restarted with an empty store learns them like this.
  await vi.waitFor(() => expect(server.registrations.length).toBeGreaterThan(2));
  expect(registration.done).toBe(true);
  server.refuses = true;
  await vi.waitFor(() => expect(registration.done).toBe(false));
  registration.stop();
  await server.close();
});

test("a server that is not there yet gets them when it is", async () => {
  const server = new InngestServer();
  server.refuses = true;
  vi.stubEnv("INNGEST_BASE_URL", await server.listen());
  vi.stubEnv("INNGEST_EVENT_KEY", server.eventKey);
  vi.stubEnv("INNGEST_SIGNING_KEY", server.signingKey);
  vi.resetModules();
  const { keepRegistered } = await import("./register");
  const registration = keepRegistered("http://bonafide.example.edu/api/inngest", { retryMs: 5 });
  await vi.waitFor(() => expect(server.refusals).toBeGreaterThan(2));
  expect(registration.done).toBe(false);
  server.refuses = false;
  await vi.waitFor(() => expect(registration.done).toBe(true));
  registration.stop();
  await server.close();
});
