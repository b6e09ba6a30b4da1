import { beforeAll, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import type { AttemptView } from "./attempt-view";
import { resendWebhookDelivery } from "./resend";
import { useStage } from "@/server/webhooks/testing/stage";

beforeAll(ownDatabase);
const stage = useStage();

it("an attempt shows its request, address and answer, whether it failed or was accepted, and no secret", async () => {
  const s = stage();
  const { id, secret } = await s.endpoint("/hooks?from=us", {
    headers: { Authorization: "Bearer of-the-customer", "X-Api-Key": "key-of-the-customer" },
  });
  s.listener.answer = (_, response) => response.writeHead(500, { "x-of-theirs": "broken" }).end("é".repeat(10_000));
  await s.happen();
  await s.send();
  const [delivery] = await s.deliveries(id);
  s.advance(6000);
  s.listener.answer = (_, response) => response.writeHead(202, { "x-of-theirs": "well" }).end("taken");
  await s.send();
  await resendWebhookDelivery(s.ctx, { id: delivery!.id });
  await s.send();

  const answer = await call("GET", `/v1/webhook_deliveries/${delivery!.id}/attempts`, {
    token: await s.world.key("webhooks:read", "webhooks:write"),
  });
  const [resent, second, first] = answer.json<{ data: AttemptView[] }>().data;
  const requests = s.listener.received;
  const common = {
    id: expect.stringMatching(/^att_/),
    object: "webhook_attempt",
    deliveryId: delivery!.id,
    endpointId: id,
    url: s.listener.url("/hooks?from=us"),
    address: "127.0.0.1",
    durationMs: expect.any(Number),
  };
  expect(first).toEqual({
    ...common,
    number: 1,
    trigger: "event",
    createdAt: new Date(s.now.getTime() - 6000).toISOString(),
    requestHeaders: shown(0),
    statusCode: 500,
    errorClass: "http",
    errorDetail: "The server answered with status 500.",
    responseHeaders: expect.objectContaining({ "x-of-theirs": "broken" }),
    responseBody: "é".repeat(8192),
    responseTruncated: true,
  });
  const accepted = {
    ...common,
    createdAt: s.now.toISOString(),
    statusCode: 202,
    errorClass: null,
    errorDetail: null,
    responseHeaders: expect.objectContaining({ "x-of-theirs": "well" }),
    responseBody: "taken",
    responseTruncated: false,
  };
  expect(second).toEqual({ ...accepted, number: 2, trigger: "event", requestHeaders: shown(1) });
  expect(resent).toEqual({ ...accepted, number: 3, trigger: "resend", requestHeaders: shown(2) });

  // The requests carried the header values; the attempts do not show them.
  for (const { headers } of requests)
    expect(headers).toMatchObject({ authorization: "Bearer of-the-customer", "x-api-key": "key-of-the-customer" });
  for (const kept of ["of-the-customer", secret, secret.slice("whsec_".length)])
    expect(answer.text).not.toContain(kept);

  /** Returns the headers of the nth request as its attempt shows them: without those that every HTTP request has. */
  function shown(n: number): Record<string, unknown> {
    const { host, connection, "content-length": length, "accept-encoding": encoding, ...sent } = requests[n]!.headers;
    expect([host, connection, length, encoding]).toEqual([
      new URL(s.listener.url()).host,
      "keep-alive",
      String(requests[n]!.bytes.length),
      "identity",
    ]);
    return { ...sent, authorization: "…", "x-api-key": "…" };
  }
});
