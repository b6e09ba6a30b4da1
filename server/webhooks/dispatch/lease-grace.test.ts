import { afterAll, beforeAll, expect, it } from "vitest";
import { ownServer, type OwnServer } from "@/server/testing/own-server";
import { leaseMs } from "./delivery-leases";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { Dispatcher } from "./dispatcher";
import { getWebhookQueue } from "@/server/webhooks/deliveries/queue";
import { resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { parkLeftoverDeliveries } from "@/server/webhooks/deliveries/park-leftovers";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";

let postgres: OwnServer;
beforeAll(async () => {
  postgres = await ownServer();
});
afterAll(() => postgres.close());
const stage = useStage();

/** Stops PostgreSQL while a request is in flight, and starts it again after the delivery's lease has ended. */
async function outage(s: Stage): Promise<{ endpointId: string; answer: () => void }> {
  // Set back the clock, so that the lease ends before PostgreSQL starts again.
  s.advance(-10 * leaseMs);
  const { id: endpointId } = await s.endpoint();
  await s.happen();
  const answer = Promise.withResolvers<void>();
  s.listener.answer = (_, response) => void answer.promise.then(() => response.writeHead(204).end());
  s.dispatcher.wake();
  await s.listener.until(1);
  await postgres.stop("fast");
  s.advance(2 * leaseMs);
  await postgres.start();
  return { endpointId, answer: answer.resolve };
}

it("a lease that ended while PostgreSQL was down holds for 10 s more: nobody parks, resends or claims the delivery", async () => {
  const s = stage();
  const { endpointId, answer } = await outage(s);
  const [delivery] = await s.deliveries(endpointId);
  await expect(resendWebhookDelivery(s.ctx, { id: delivery!.id })).rejects.toMatchObject({ code: "delivery_state" });
  await disableWebhookEndpoint(s.ctx, { id: endpointId });
  await parkLeftoverDeliveries(s.now);
  expect([(await s.deliveries(endpointId))[0]!.status, (await getWebhookQueue(s.ctx, {})).inFlightDeliveries]).toEqual([
    "pending",
    1,
  ]);
  answer();
  await s.dispatcher.settled();
  expect([(await s.deliveries(endpointId)).map((d) => [d.status, d.attemptCount]), s.listener.received.length]).toEqual(
    [[["succeeded", 1]], 1],
  );
});

it("a delivery whose holder died while PostgreSQL was down is sent after these 10 s", async () => {
  const s = stage();
  const { endpointId } = await outage(s);
  await s.dispatcher.stop({ graceMs: 0 });
  s.listener.answer = (_, response) => response.writeHead(204).end();
  const second = new Dispatcher(() => s.now);
  second.wake();
  await s.listener.until(2);
  await second.settled();
  expect((await s.deliveries(endpointId)).map((d) => d.status)).toEqual(["succeeded"]);
  await second.stop({ graceMs: 0 });
});
