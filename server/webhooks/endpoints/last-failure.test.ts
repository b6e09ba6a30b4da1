import { beforeAll, describe, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { getWebhookEndpoint } from "./get";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();

describe("the last failure of an endpoint", () => {
  it("names its delivery and error class, and is kept after the endpoint has recovered", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      lastFailureAt: null,
      lastFailureClass: null,
      lastFailureDetail: null,
      lastFailureDeliveryId: null,
    });
    s.listener.answer = (_, response) => response.writeHead(503).end();
    await s.happen();
    await s.send();
    const [delivery] = await s.deliveries(id);
    const failure = {
      lastFailureAt: s.now.toISOString(),
      lastFailureClass: "http",
      lastFailureDetail: "The server answered with status 503.",
      lastFailureDeliveryId: delivery!.id,
    };
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({ ...failure, failingSince: s.now.toISOString() });
    s.listener.answer = (_, response) => response.writeHead(204).end();
    s.advance(60_000);
    await s.happen();
    await s.send();
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({
      ...failure,
      failingSince: null,
      lastSuccessAt: s.now.toISOString(),
    });
  });

  it("is the newest one, in every field", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    s.listener.answer = (_, response) => response.writeHead(302, { location: "https://example.edu/" }).end();
    await s.happen();
    await s.send();
    s.listener.answer = (_, response) => response.socket!.destroy();
    s.advance(20_000);
    await s.happen();
    await s.send();
    const [newest] = await s.deliveries(id);
    const { lastFailureClass, lastFailureAt, lastFailureDeliveryId } = await getWebhookEndpoint(s.ctx, { id });
    expect([lastFailureClass, lastFailureAt]).toEqual(["connect", s.now.toISOString()]);
    expect((await s.attempts(lastFailureDeliveryId!)).some((attempt) => attempt.errorClass === "connect")).toBe(true);
    expect(newest!.lastErrorClass).toBe("connect");
  });
});
