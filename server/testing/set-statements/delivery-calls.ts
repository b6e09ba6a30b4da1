import { queueSql } from "@/server/core/db";
import { newId, newPublicId, publicId, type Id } from "@/server/core/ids";
import { eventTypes } from "@/server/events/catalogue";
import { queueEndpointNotices } from "@/server/notifications/endpoint-notices";
import type { Attempt } from "@/server/webhooks/dispatch/attempt";
import { claimDeliveries, type Claimed } from "@/server/webhooks/dispatch/claim";
import { extendLeases } from "@/server/webhooks/dispatch/delivery-leases";
import { countDeliveries, findDeliveries } from "@/server/webhooks/deliveries/find-deliveries";
import { Health } from "@/server/webhooks/dispatch/health";
import { recordAttempts } from "@/server/webhooks/dispatch/record";
import { recoverWebhookEndpoint } from "@/server/webhooks/deliveries/recover";
import { resendWebhookDeliveries } from "@/server/webhooks/deliveries/resend";
import { cancelParkedDeliveries, parkPendingDeliveries } from "@/server/webhooks/endpoints/park-pending";
import { listEndpointStatistics } from "@/server/webhooks/endpoints/statistics";
import { Tally } from "@/server/webhooks/dispatch/tally";
import { idOf } from "./rows";
import { sql } from "@/server/testing/sql";
import { arrange, type Given, type Call, others } from "./given";

/** Deliveries of webhooks, and notices about endpoints. */
export function deliveryCalls(given: Given): Call[] {
  const { ctx, orgId, at, span, n, numbers, ids, endpoints, later, many } = given;
  let claimed: Claimed[] = [];
  return [
    {
      name: "claim deliveries",
      given: 4 * endpoints.length,
      run: async () =>
        (claimed = await claimDeliveries(
          endpoints.map((endpointId) => ({ orgId, endpointId, slots: 2, after: null })),
          at,
          newId("req"),
        )),
    },
    { name: "extend leases", given: 2 * endpoints.length, run: () => extendLeases(claimed, at) },
    {
      name: "record attempts",
      given: 2 * endpoints.length,
      run: () => recordAttempts(claimed.map((delivery) => attemptAt(delivery, at))),
    },
    { name: "count attempts", given: 2 * endpoints.length, run: () => tally(given, claimed) },
    { name: "health of endpoints", given: 2 * endpoints.length, run: () => note(given, claimed) },
    { name: "resend", given: n, run: () => resendWebhookDeliveries({ ...ctx, now: later }, { ids: ids("dlv") }) },
    {
      name: "resend what is not there",
      given: n,
      run: () => resendWebhookDeliveries({ ...ctx, now: later }, { ids: numbers().map(() => newPublicId("dlv")) }),
    },
    {
      name: "recover",
      given: 100,
      run: () => recoverWebhookEndpoint(ctx, { id: publicId("whe", endpoints[0]!), since: new Date(0).toISOString() }),
    },
    // While the table of endpoints is not analysed, all of them are sorted for one page.
    { name: "statistics of endpoints", given: 20 * many, run: () => listEndpointStatistics(ctx, { limit: 100 }) },
    { name: "park", given: 100, run: () => endEndpoint(given, endpoints.at(-1)!) },
    {
      name: "list deliveries",
      given: 40 * 50 * 2,
      run: () =>
        findDeliveries(
          sql,
          orgId,
          { type: [...eventTypes], status: ["failed", "parked"] },
          { take: 50, skip: 0, after: null },
        ),
    },
    {
      name: "list rare deliveries",
      given: 40 * 50 + (2 * (span.to - span.from)) / 10,
      run: () => findDeliveries(sql, orgId, { type: ["subject.created"] }, { take: 50, skip: 0, after: null }),
    },
    {
      name: "deliveries of events",
      given: n,
      run: () =>
        findDeliveries(
          sql,
          orgId,
          { eventId: numbers(Math.min(n, 100)).map((each) => idOf("evt", each, at)) },
          { take: 50, skip: 0, after: null },
        ),
    },
    {
      name: "deliveries to endpoints",
      given: 40 * 50 * 2,
      run: () =>
        findDeliveries(
          sql,
          orgId,
          { endpointId: endpoints.slice(0, 20), status: ["failed", "cancelled"] },
          { take: 50, skip: 0, after: null },
        ),
    },
    {
      name: "count deliveries",
      given: span.to - span.from,
      run: () => countDeliveries(sql, orgId, { type: ["subject.updated"] }),
    },
    {
      name: "queue notifications",
      given: (span.to - span.from + others.to - others.from) / 10,
      run: () => queueEndpointNotices(at),
    },
  ];
}

async function tally(given: Given, claimed: Claimed[]): Promise<void> {
  const tally = new Tally();
  tally.count(claimed.map((delivery) => attemptAt(delivery, given.at)));
  await tally.write();
}

async function note(given: Given, claimed: Claimed[]): Promise<void> {
  const health = new Health(() => given.at);
  health.note(claimed.map((delivery) => attemptAt(delivery, new Date(given.at.getTime() + 3_600_000))));
  await health.write();
}

async function endEndpoint(given: Given, endpointId: Id<"whe">): Promise<void> {
  const { orgId } = given;
  await arrange(`UPDATE webhook_endpoints SET status = 'disabled' WHERE org_id = $1 AND id = $2`, [orgId, endpointId]);
  await parkPendingDeliveries(queueSql, { orgId, endpointId }, given.at);
  await arrange(`UPDATE webhook_endpoints SET deleted_at = now() WHERE org_id = $1 AND id = $2`, [orgId, endpointId]);
  await cancelParkedDeliveries(queueSql, { orgId, endpointId }, given.at);
}

function attemptAt(delivery: Claimed, at: Date): Attempt {
  return {
    id: newId("att"),
    delivery,
    outcome: "retry",
    retryAt: at,
    startedAt: at,
    requestHeaders: {},
    address: null,
    statusCode: null,
    errorClass: "internal",
    errorDetail: null,
    durationMs: 1,
    responseHeaders: {},
    responseBody: null,
    responseTruncated: false,
  };
}
