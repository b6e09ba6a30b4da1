import { newId, publicId, uuidOf, type Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { outboundRequest, type OutboundErrorClass, type OutboundResult } from "@/server/outbound/request";
import type { Claimed } from "./claim";
import { nextDelay, parseRetryAfter } from "@/server/webhooks/deliveries/schedule";
import { signedHeaders } from "./sign";

/** An attempt as it is logged, with the next state of its delivery. */
export interface Attempt {
  id: Id<"att">;
  delivery: Claimed;
  /** `retry`: pending until `retryAt`. `cancelled`: nothing was sent, because the event has expired. */
  outcome: "succeeded" | "retry" | "failed" | "cancelled";
  retryAt: Date | null;
  startedAt: Date;
  requestHeaders: Record<string, string>;
  address: string | null;
  statusCode: number | null;
  errorClass: OutboundErrorClass | "internal" | null;
  errorDetail: string | null;
  durationMs: number;
  responseHeaders: Record<string, string>;
  responseBody: string | null;
  responseTruncated: boolean;
}

/** Bytes of a response body to keep. */
const keptBytes = 16 * 1024;
const keptHeaders = 50;

/** Sends a delivery once, within 15 s. Never rejects: every failure becomes an attempt with an outcome. */
export async function attemptDelivery(delivery: Claimed, clock: () => Date): Promise<Attempt> {
  const startedAt = clock();
  const none = {
    id: newId("att"),
    delivery,
    startedAt,
    retryAt: null,
    requestHeaders: {},
    address: null,
    statusCode: null,
    durationMs: 0,
    responseHeaders: {},
    responseBody: null,
    responseTruncated: false,
  };
  if (delivery.body === null) return { ...none, outcome: "cancelled", errorClass: null, errorDetail: null };
  try {
    const { sent, shown } = headersOf(delivery, delivery.body, startedAt);
    const { url } = delivery.destination;
    const result = await outboundRequest({
      url,
      method: "POST",
      headers: sent,
      body: delivery.body,
      lane: uuidOf(delivery.endpointId),
      maxResponseBytes: keptBytes,
      totalTimeoutMs: 15_000,
    });
    return { ...none, ...outcomeOf(delivery, result, clock()), requestHeaders: shown, ...resultFields(result) };
  } catch (error) {
    log().error({ err: error, delivery: publicId("dlv", delivery.id) }, "a webhook delivery could not be sent");
    return {
      ...none,
      ...retryOrFail(delivery, null, clock()),
      errorClass: "internal",
      errorDetail: "The service could not prepare this request.",
    };
  }
}

/** Tells whether the endpoint answered 410 and must be disabled (record-gone.ts). */
export function isGone({ statusCode }: Attempt): boolean {
  return statusCode === 410;
}

function headersOf(delivery: Claimed, body: string, now: Date) {
  const { destination } = delivery;
  const own = signedHeaders(
    {
      eventId: publicId("evt", delivery.eventId),
      eventType: delivery.eventType,
      deliveryId: publicId("dlv", delivery.id),
      attempt: delivery.attemptCount + 1,
      body,
    },
    destination.keys(now),
    now,
  );
  const added = destination.headers;
  // A header that the customer added can hold a credential, so the log shows its name and not its value.
  const hidden = Object.fromEntries(Object.keys(added).map((name) => [name, "…"]));
  return { sent: { ...added, ...own }, shown: { ...hidden, ...own } };
}

function outcomeOf(delivery: Claimed, result: OutboundResult, now: Date): Pick<Attempt, "outcome" | "retryAt"> {
  if (result.ok) return { outcome: "succeeded", retryAt: null };
  return retryOrFail(delivery, parseRetryAfter(result.headers["retry-after"], now), now);
}

function retryOrFail(delivery: Claimed, retryAfterMs: number | null, now: Date): Pick<Attempt, "outcome" | "retryAt"> {
  const delay = nextDelay(delivery.retryStep, retryAfterMs);
  return delay === null
    ? { outcome: "failed", retryAt: null }
    : { outcome: "retry", retryAt: new Date(now.getTime() + delay) };
}

function resultFields(result: OutboundResult) {
  return {
    address: result.address,
    statusCode: result.status,
    errorClass: result.errorClass,
    errorDetail: result.errorDetail,
    durationMs: result.durationMs,
    responseHeaders: Object.fromEntries(
      Object.entries(result.headers)
        .slice(0, keptHeaders)
        .map(([name, value]) => [name, storable(value.slice(0, 1000))]),
    ),
    // `stream` drops an incomplete character at the cut.
    responseBody: storable(new TextDecoder().decode(result.body, { stream: result.truncated })),
    responseTruncated: result.truncated,
  };
}

/** Replaces what PostgreSQL cannot store: NUL and lone surrogates. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
