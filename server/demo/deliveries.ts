import { sql } from "@/server/core/db";
import { newId, publicId, type Id } from "@/server/core/ids";
import { sequenceBatch } from "@/server/consumers";
import { bodyWithSequence } from "@/server/events/body";
import type { Attempt } from "@/server/webhooks/dispatch/attempt";
import type { Claimed } from "@/server/webhooks/dispatch/claim";
import { Health } from "@/server/webhooks/dispatch/health";
import { recordAttempts } from "@/server/webhooks/dispatch/record";
import { steps } from "@/server/webhooks/deliveries/schedule";
import { Destination, type DestinationRow } from "@/server/webhooks/dispatch/destination";
import { signedHeaders } from "@/server/webhooks/dispatch/sign";
import { Tally } from "@/server/webhooks/dispatch/tally";
import { chanceFrom, type Chance } from "./chance";
import { deafSinceDaysAgo, disabledDaysAgo } from "./endpoints";
import type { Calendar } from "./stage";

interface Held extends Claimed {
  body: string;
  eventAt: Date;
  disabled: boolean;
}

/** One planned attempt: its time, its outcome, and when the next one is due. */
interface Planned {
  at: Date;
  retryAt: Date | null;
  ending: "ok" | "unavailable" | "slow" | "refused";
}

/**
 * Writes the deliveries of the story attempt by attempt, as they would have gone, and releases the endpoints to the
 * dispatcher. Does nothing if the history is already written.
 */
export async function writeDeliveryHistory(orgId: Id<"org">, calendar: Calendar): Promise<void> {
  if (!(await isHeld(orgId))) return;
  while ((await sequenceBatch()).events > 0);
  const plans = (await heldDeliveries(orgId)).map((delivery) => ({
    delivery,
    plan: planOf(delivery, calendar, chanceFrom(Number(delivery.eventAt))),
  }));
  const tally = new Tally();
  const all: Attempt[] = [];
  for (let round = 0; plans.some(({ plan }) => plan[round]); round++) {
    const due = plans.filter(({ plan }) => plan[round]);
    const claimId = newId("req");
    await sql(
      `UPDATE webhook_deliveries SET claim_id = $3 WHERE org_id = $1 AND id = ANY ($2) AND status = 'pending'`,
      [orgId, due.map((d) => d.delivery.id), claimId],
    );
    const attempts = due.map(({ delivery, plan }) =>
      attemptOf({ ...delivery, claimId, attemptCount: round, retryStep: round }, plan, round),
    );
    await recordAttempts(attempts);
    all.push(...attempts);
  }
  tally.count(all);
  await tally.write();
  const health = new Health(() => new Date());
  health.note(all.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime()));
  await health.write();
  await sql(release, [orgId]);
}

async function isHeld(orgId: Id<"org">): Promise<boolean> {
  const [held] = await sql(
    `SELECT 1 FROM webhook_endpoints e WHERE e.org_id = $1 AND e.status = 'paused'
     AND NOT EXISTS (SELECT FROM webhook_attempts a JOIN webhook_deliveries d ON d.org_id = a.org_id AND d.id = a.delivery_id WHERE a.org_id = $1)`,
    [orgId],
  );
  return held !== undefined;
}

async function heldDeliveries(orgId: Id<"org">): Promise<Held[]> {
  const rows = await sql<Omit<Held, "destination"> & DestinationRow>(
    `SELECT d.org_id AS "orgId", d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId", d.event_type AS "eventType", d.trigger, ${bodyWithSequence("ev.body", "d.sequence")} AS body, e.url, e.secret,
       ev.created_at AS "eventAt", ev.created_at AS "dueAt", e.disabled_at IS NOT NULL AS disabled
     FROM webhook_deliveries d
     JOIN events ev ON ev.org_id = d.org_id AND ev.id = d.event_id
     JOIN webhook_endpoints e ON e.org_id = d.org_id AND e.id = d.endpoint_id
     WHERE d.org_id = $1 AND d.status = 'pending' ORDER BY d.sequence`,
    [orgId],
  );
  return rows.map(({ url, secret, ...delivery }) => {
    const { endpointId } = delivery;
    const destination = new Destination({
      endpointId,
      url,
      secret,
      previousSecret: null,
      previousSecretExpiresAt: null,
      headers: null,
      rateLimit: null,
    });
    return { ...delivery, destination };
  });
}

/**
 * Plans the attempts of a delivery. The door system answered until it went down for good. The student system accepts
 * most deliveries at the first attempt; some need one or two retries, and up to three during an outage.
 */
function planOf({ eventAt, disabled }: Held, { day, now }: Calendar, chance: Chance): Planned[] {
  const first = new Date(eventAt.getTime() + chance.between(8, 60));
  if (disabled && eventAt >= day(disabledDaysAgo, 6)) return [];
  if (disabled && eventAt >= day(deafSinceDaysAgo, 2))
    return retried(first, () => "refused").filter(({ at }) => at < day(disabledDaysAgo, 6));
  const outage = !disabled && eventAt >= day(13, 9) && eventAt < day(13, 15);
  const failures = outage ? chance.between(1, 3) : chance.happens(0.05) ? chance.between(1, 2) : 0;
  const plan = retried(first, (n) => (n < failures ? chance.pick(["unavailable", "slow"] as const) : "ok")).slice(
    0,
    failures + 1,
  );
  const arrived = plan.filter(({ at }) => at <= now);
  return arrived.length === plan.length ? plan : [{ at: first, retryAt: null, ending: "ok" }];
}

function retried(first: Date, endingOf: (n: number) => Planned["ending"]): Planned[] {
  let at = first.getTime();
  return [...steps, null].map((step, n) => {
    const planned = { at: new Date(at), retryAt: step === null ? null : new Date(at + step), ending: endingOf(n) };
    at += step ?? 0;
    return planned;
  });
}

function attemptOf(delivery: Held, plan: Planned[], round: number): Attempt {
  const { at, ending, retryAt } = plan[round]!;
  const chance = chanceFrom(at.getTime());
  return {
    id: newId("att"),
    delivery,
    startedAt: at,
    ...(ending === "ok" ? { outcome: "succeeded", retryAt: null } : { outcome: retryAt ? "retry" : "failed", retryAt }),
    requestHeaders: signedHeaders(
      {
        eventId: publicId("evt", delivery.eventId),
        eventType: delivery.eventType,
        deliveryId: publicId("dlv", delivery.id),
        attempt: round + 1,
        body: delivery.body,
      },
      delivery.destination.keys(at),
      at,
    ),
    responseTruncated: false,
    ...endings[ending](chance),
  };
}

type Ending = Pick<
  Attempt,
  "address" | "statusCode" | "errorClass" | "errorDetail" | "durationMs" | "responseHeaders" | "responseBody"
>;
const listener = "203.0.113.24";

const endings: Record<Planned["ending"], (chance: Chance) => Ending> = {
  ok: (chance) => ({
    address: listener,
    statusCode: 200,
    errorClass: null,
    errorDetail: null,
    durationMs: chance.between(38, chance.happens(0.1) ? 900 : 210),
    responseHeaders: { "content-type": "application/json", server: "nginx" },
    responseBody: '{"received":true}',
  }),
  unavailable: (chance) => ({
    address: listener,
    statusCode: 503,
    errorClass: "http",
    errorDetail: "The endpoint answered 503.",
    durationMs: chance.between(20, 90),
    responseHeaders: { "content-type": "text/html", server: "nginx" },
    responseBody: "<h1>503 Service Temporarily Unavailable</h1>",
  }),
  slow: () => ({
    address: listener,
    statusCode: null,
    errorClass: "timeout",
    errorDetail: "No answer within 15 seconds.",
    durationMs: 15_000,
    responseHeaders: {},
    responseBody: null,
  }),
  refused: (chance) => ({
    address: "203.0.113.61",
    statusCode: null,
    errorClass: "connect",
    errorDetail: "The connection was refused.",
    durationMs: chance.between(3, 30),
    responseHeaders: {},
    responseBody: null,
  }),
};

// Dates the deliveries by their events, and disables the disabled endpoint again.
const release = `
WITH dated AS (
  UPDATE webhook_deliveries d SET
    created_at = ev.created_at,
    status = CASE WHEN e.disabled_at IS NOT NULL AND d.status = 'pending' THEN 'parked' ELSE d.status END,
    next_attempt_at = CASE WHEN e.disabled_at IS NULL THEN d.next_attempt_at END
  FROM events ev, webhook_endpoints e
  WHERE d.org_id = $1 AND ev.org_id = d.org_id AND ev.id = d.event_id AND e.org_id = d.org_id AND e.id = d.endpoint_id
)
UPDATE webhook_endpoints SET status = CASE WHEN disabled_at IS NULL THEN 'active' ELSE 'disabled' END WHERE org_id = $1`;
