import { cron, type InngestFunction } from "inngest";
import { afterAll, expect, test } from "vitest";
import { closeDb } from "@/server/core/db";
import { TestApp } from "../testing/app";
import { UnsupportedFunctions } from "./capabilities";

afterAll(closeDb);

const event = { event: "test/go" };
type Options = InngestFunction.Options;

const refused: [string, Partial<Options>, RegExp][] = [
  ["retries that are not set", { retries: undefined }, /retries are not set/],
  ["an if", { triggers: [{ event: "test/go", if: "event.data.n > 1" }] }, /the "if" of event "test\/go"/],
  ["a wildcard", { triggers: [{ event: "test/*" }] }, /wildcard/],
  ["an internal event", { triggers: [{ event: "inngest/function.failed" }] }, /internal event/],
  ["a cron that cannot be read", { triggers: [cron("61 * * * *")] }, /61/],
  ["a cron with seconds", { triggers: [cron("0 0 * * * *")] }, /five plain fields/],
  ["a nickname of a cron", { triggers: [cron("@hourly")] }, /five plain fields/],
  ["a sign that only croner knows", { triggers: [cron("0 0 L * *")] }, /five plain fields/],
  ["a cron that never comes", { triggers: [cron("0 0 30 2 *")] }, /never comes/],
  ["a time zone that is none", { triggers: [cron("TZ=Mars/Olympus 0 0 * * *")] }, /Mars\/Olympus/],
  ["debounce", { debounce: { period: "1m" } }, /debounce/],
  ["batches", { batchEvents: { maxSize: 2, timeout: "5s" } }, /batchEvents/],
  ["throttle", { throttle: { limit: 1, period: "1m" } }, /throttle/],
  ["rateLimit", { rateLimit: { limit: 1, period: "1m" } }, /rateLimit/],
  ["priority", { priority: { run: "100" } }, /priority/],
  ["cancelOn", { cancelOn: [{ event: "test/stop" }] }, /cancel/],
  ["singleton", { singleton: { mode: "skip" } }, /singleton/],
  ["idempotency", { idempotency: "event.data.id" }, /idempotency/],
  ["timeouts", { timeouts: { finish: "1m" } }, /timeouts/],
  ["two limits", { concurrency: [{ limit: 1 }, { limit: 2, key: "event.data.a" }] }, /more than one/],
  [
    "a limit beyond the function",
    { concurrency: { limit: 1, scope: "account", key: "event.data.a" } },
    /within the function/,
  ],
  ["a key that is computed", { concurrency: { limit: 1, key: "event.data.a + event.data.b" } }, /only event\.data/],
];

test.each(refused)("refuses to start with %s", async (_, options, reason) => {
  const app = new TestApp();
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [event], ...options } as Options, () => null);
  await expect(app.start([f])).rejects.toThrow(reason);
});

test("refuses to start with jitter", async () => {
  const app = new TestApp();
  const jittered = { cron: "0 0 * * *", jitter: "10m" };
  const f = app.client.createFunction({ id: "f", retries: 0, triggers: [jittered] }, () => null);
  await expect(app.start([f])).rejects.toThrow(/jitter/);
});

test("lists every unsupported feature at once, with the name of its function", async () => {
  const app = new TestApp();
  const wrong = app.client.createFunction(
    { id: "wrong", triggers: [{ event: "test/go", if: "true" }], debounce: { period: "1m" } },
    () => null,
  );
  const worse = app.client.createFunction(
    { id: "worse", retries: 1, triggers: [event], priority: { run: "1" } },
    () => null,
  );
  const error: unknown = await app.start([wrong, worse]).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(UnsupportedFunctions);
  expect((error as UnsupportedFunctions).refusals).toEqual([
    `${app.id}-wrong: debounce`,
    `${app.id}-wrong: retries are not set: the SDK and the server assume different numbers`,
    `${app.id}-wrong: the "if" of event "test/go"`,
    `${app.id}-worse: priority`,
  ]);
});

test("starts with every supported feature", async () => {
  const app = new TestApp();
  const f = app.client.createFunction(
    {
      id: "f",
      retries: 20,
      triggers: [event, cron("TZ=Europe/Berlin 5 4 * * MON-FRI")],
      concurrency: [{ limit: 1, key: "event.data.org.id" }],
      onFailure: () => null,
    },
    () => null,
  );
  await expect(app.start([f])).resolves.not.toThrow();
  await app.stop();
});
