import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { ownServer, type OwnServer } from "@/server/testing/own-server";
import { leaseMs } from "./delivery-leases";
import { Dispatcher } from "./dispatcher";
import { useStage } from "@/server/webhooks/testing/stage";

let postgres: OwnServer;
beforeAll(async () => {
  postgres = await ownServer();
});
afterAll(() => postgres.close());
const stage = useStage();

it("after PostgreSQL was down for longer than a lease, no other process sends what a live process has sent and not yet recorded", async () => {
  const s = stage();
  // Set back the clock, so that the leases of this test end before PostgreSQL starts again.
  s.advance(-10 * leaseMs);
  const { id } = await s.endpoint();
  await s.happen();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answer = Promise.withResolvers<void>();
  s.listener.answer = (_, response) => void answer.promise.then(() => response.writeHead(204).end());
  s.dispatcher.wake();
  await s.listener.until(1);
  await postgres.stop("fast");
  answer.resolve();
  s.advance(2 * leaseMs);
  await postgres.start();
  const second = new Dispatcher(() => s.now);
  await second.drain({ withinMs: leaseMs });
  // Now the first dispatcher tries again to record its attempt.
  const status = async () => (await s.deliveries(id))[0]!.status;
  while ((await status()) === "pending") await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  await Promise.all([s.dispatcher.settled(), second.settled()]);
  expect(s.listener.received).toHaveLength(1);
});
