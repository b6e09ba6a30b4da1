import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { readId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { pauseWebhookEndpoint } from "@/server/webhooks/endpoints/pause";
import { recoverWebhookEndpoint } from "@/server/webhooks/deliveries/recover";
import { rotateWebhookSecret } from "@/server/webhooks/endpoints/rotate-secret";
import { parkLeftoverDeliveries } from "@/server/webhooks/deliveries/park-leftovers";
import type { Received } from "@/server/webhooks/testing/listener";
import { useStage, type Stage } from "@/server/webhooks/testing/stage";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";

beforeAll(ownDatabase);
const stage = useStage();
const hour = 3_600_000;

/** Registers an endpoint whose first request is answered only after `meanwhile`; later ones get 204 at once. */
async function during(
  s: Stage,
  status: number,
  meanwhile: (endpoint: { id: string; secret: string }) => Promise<unknown>,
) {
  const endpoint = await s.endpoint();
  const answer = Promise.withResolvers<void>();
  s.listener.answer = (_, response) => {
    if (s.listener.received.length > 1) response.writeHead(204).end();
    else void answer.promise.then(() => response.writeHead(status).end());
  };
  await s.happen();
  s.dispatcher.wake();
  await s.listener.until(1);
  await meanwhile(endpoint);
  answer.resolve();
  await s.dispatcher.settled();
  return endpoint;
}

const deliveriesOf = async (s: Stage, endpointId: string) =>
  (await listWebhookDeliveries(s.ctx, { endpointId })).data.map((d) => [d.status, d.attemptCount]);

/** Lets an hour pass and sends what is due then. */
async function later(s: Stage): Promise<void> {
  s.advance(hour);
  await parkLeftoverDeliveries(s.now);
  await s.send();
}

describe("an attempt in flight while its endpoint is", () => {
  it.each([
    ["deleted", deleteWebhookEndpoint, "cancelled"],
    ["disabled", disableWebhookEndpoint, "parked"],
    ["paused", pauseWebhookEndpoint, "pending"],
  ] as const)("%s finishes and is logged; if it failed, it is not retried", async (_, end, left) => {
    const s = stage();
    const good = await during(s, 204, ({ id }) => end(s.ctx, { id }));
    expect(await deliveriesOf(s, good.id)).toEqual([["succeeded", 1]]);
    s.listener.received.length = 0;
    const bad = await during(s, 500, ({ id }) => end(s.ctx, { id }));
    await later(s);
    expect([await deliveriesOf(s, bad.id), s.listener.received.length]).toEqual([[[left, 1]], 1]);
  });

  it("disabled and enabled again is retried if it failed", async () => {
    const s = stage();
    const { id } = await during(s, 500, async (endpoint) => {
      await disableWebhookEndpoint(s.ctx, { id: endpoint.id });
      await enableWebhookEndpoint(s.ctx, { id: endpoint.id });
    });
    await later(s);
    expect(await deliveriesOf(s, id)).toEqual([["succeeded", 2]]);
  });

  it("given another URL is retried at the new URL, and its failure does not count for the new URL", async () => {
    const s = stage();
    const { id } = await during(s, 500, (endpoint) => {
      s.advance(1);
      return updateWebhookEndpoint(s.ctx, { id: endpoint.id, url: s.listener.url("/new") });
    });
    expect(await getWebhookEndpoint(s.ctx, { id })).toMatchObject({ failingSince: null, lastFailureAt: null });
    await later(s);
    expect([s.listener.to("/hooks").length, s.listener.to("/new").length, await deliveriesOf(s, id)]).toEqual([
      1,
      1,
      [["succeeded", 2]],
    ]);
  });

  it("given another secret is retried with only the new secret", async () => {
    const s = stage();
    let secret = "";
    const before = await during(
      s,
      500,
      async ({ id }) => (secret = (await rotateWebhookSecret(s.ctx, { id, expireOldAfter: 0 })).secret),
    );
    await later(s);
    expect(
      s.listener.received.map((request) => [signedWith(before.secret, request), signedWith(secret, request)]),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

function signedWith(secret: string, { headers, body }: Received): boolean {
  const [time, ...signatures] = String(headers["svc-signature"]).split(",");
  return signatures.includes(
    `v1=${createHmac("sha256", secret)
      .update(`${time!.slice("t=".length)}.${body}`)
      .digest("hex")}`,
  );
}

describe("pausing an endpoint during a claim", () => {
  it("sends what the claim took and holds back the rest", async () => {
    const s = stage();
    const { id } = await s.endpoint("/hooks", { rateLimit: 10 });
    await s.happen();
    await s.send();
    s.advance(1000);
    await s.happen(3);
    await transaction(async (tx) => {
      await tx.sql(`SELECT FROM webhook_paces WHERE endpoint_id = $1 FOR UPDATE`, [readId("whe", id)]);
      s.dispatcher.wake();
      while (
        (
          await sql(
            `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid' AND transactionid = $1::text::xid`,
            [await xid(tx)],
          )
        ).length === 0
      );
      await pauseWebhookEndpoint(s.ctx, { id });
    });
    await s.dispatcher.settled();
    await later(s);
    expect(await deliveriesOf(s, id)).toEqual([
      ["pending", 0],
      ["pending", 0],
      ["succeeded", 1],
      ["succeeded", 1],
    ]);
    await enableWebhookEndpoint(s.ctx, { id });
    for (let i = 0; i < 2; i++) await later(s);
    expect([await deliveriesOf(s, id), s.listener.received.length]).toEqual([
      Array.from({ length: 4 }, () => ["succeeded", 1]),
      4,
    ]);
  });
});

const xid = async (tx: { sql: typeof sql }) =>
  (await tx.sql<{ id: string }>(`SELECT pg_current_xact_id()::xid::text AS id`))[0]!.id;

describe("three concurrent recoveries", () => {
  it("queue each delivery once", async () => {
    const s = stage();
    const { id } = await s.endpoint();
    await s.happen(20);
    await disableWebhookEndpoint(s.ctx, { id });
    await enableWebhookEndpoint(s.ctx, { id });
    const since = new Date(s.now.getTime() - hour).toISOString();
    const recovered = await Promise.all([1, 2, 3].map(() => recoverWebhookEndpoint(s.ctx, { id, since })));
    expect(recovered.reduce((sum, { queued }) => sum + queued, 0)).toBe(20);
    await s.send();
    expect([s.listener.received.length, await deliveriesOf(s, id)]).toEqual([
      20,
      Array.from({ length: 20 }, () => ["succeeded", 1]),
    ]);
  });
});
