import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { metadataSchema } from "@/server/core/free-json";
import type { Ctx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { attemptErrorClasses } from "./error-classes";
import { maskUrl, visibleUrl } from "./mask-url";
import { disabledAfterMs, failuresSpanMs } from "./health-limits";

/** A row of `webhook_endpoints` without its secrets, as raw SQL returns it. */
export interface EndpointRow {
  id: Id<"whe">;
  url: string;
  description: string;
  event_types: string[];
  header_names: string[];
  rate_limit: number | null;
  status: "active" | "paused" | "disabled";
  disabled_at: Date | null;
  disabled_reason: "failing" | "gone" | "manual" | null;
  enabled_at: Date;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure_class: (typeof attemptErrorClasses)[number] | null;
  last_failure_detail: string | null;
  last_failure_delivery_id: Id<"dlv"> | null;
  previous_secret_expires_at: Date | null;
  /** The caller's own data; never in events. */
  metadata: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

/** The columns of EndpointRow. */
export const endpointColumns = `id, url, description, event_types, header_names, rate_limit, status, disabled_at, disabled_reason, enabled_at,
  failing_since, last_success_at, last_failure_at, last_failure_class, last_failure_detail, last_failure_delivery_id, previous_secret_expires_at, metadata, created_at, updated_at`;

const time = z.iso.datetime().nullable();

export const endpointSchema = z
  .object({
    id: z.string(),
    object: z.literal("webhook_endpoint"),
    url: z
      .string()
      .meta({ description: "Path and query are masked for who lacks webhooks:write: they often hold a secret." }),
    description: z.string(),
    eventTypes: z.array(z.string()).meta({ description: "Types or family patterns; empty for every event." }),
    headerNames: z
      .array(z.string())
      .meta({ description: "The headers that are added to each delivery. Their values are not shown again." }),
    rateLimit: z.int().nullable().meta({ description: "Deliveries a second at most; null for no limit." }),
    status: z.enum(["active", "paused", "disabled"]).meta({
      description:
        "paused: deliveries wait and go out when it is enabled. disabled: deliveries are parked until they are recovered.",
    }),
    disabledAt: time,
    disabledReason: z.enum(["failing", "gone", "manual"]).nullable(),
    failingSince: time.meta({ description: "The first failure since the last success." }),
    willBeDisabledAt: time.meta({ description: "When it will be disabled if nothing but failures follow." }),
    lastSuccessAt: time,
    lastFailureAt: time.meta({ description: "Kept when it has recovered since." }),
    lastFailureClass: z.enum(attemptErrorClasses).nullable(),
    lastFailureDetail: z.string().nullable().meta({ description: "One sentence that explains it." }),
    lastFailureDeliveryId: z.string().nullable().meta({ description: "The delivery that it was an attempt of." }),
    previousSecretExpiresAt: time.meta({
      description: "Until then deliveries are signed with the previous secret too.",
    }),
    metadata: metadataSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "WebhookEndpoint" });

export type EndpointView = z.infer<typeof endpointSchema>;

export const endpointWithSecretSchema = endpointSchema
  .extend({
    secret: z
      .string()
      .meta({ description: "The signing secret, shown this once. The key of svc-signature is this whole text." }),
  })
  .meta({ id: "WebhookEndpointWithSecret" });

export function endpointView(row: EndpointRow, ctx: Ctx): EndpointView {
  const { now } = ctx;
  const rotating = row.previous_secret_expires_at !== null && row.previous_secret_expires_at > now;
  return {
    ...endpointFactsOf(row),
    url: visibleUrl(ctx, row.url),
    disabledAt: iso(row.disabled_at),
    failingSince: iso(row.failing_since),
    willBeDisabledAt: iso(willBeDisabledAt(row)),
    lastSuccessAt: iso(row.last_success_at),
    lastFailureAt: iso(row.last_failure_at),
    lastFailureClass: row.last_failure_class,
    lastFailureDetail: row.last_failure_detail,
    lastFailureDeliveryId: publicId("dlv", row.last_failure_delivery_id),
    previousSecretExpiresAt: rotating ? iso(row.previous_secret_expires_at) : null,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/**
 * Computes the ETag of an endpoint. Results of attempts are left out. The URL is left out because not every caller sees
 * it whole; like changed headers and secrets, a changed URL alters only `updatedAt`.
 */
export function endpointTag({
  id,
  description,
  eventTypes,
  headerNames,
  rateLimit,
  status,
  metadata,
  updatedAt,
}: EndpointView): string {
  return entityTag({ id, description, eventTypes, headerNames, rateLimit, status, metadata, updatedAt }, []);
}

/** Returns the facts about an endpoint that events carry; other endpoints receive them too. */
export function endpointFactsOf(row: EndpointRow) {
  return {
    id: publicId("whe", row.id),
    object: "webhook_endpoint" as const,
    url: maskUrl(row.url),
    description: row.description,
    eventTypes: row.event_types,
    headerNames: row.header_names,
    rateLimit: row.rate_limit,
    status: row.status,
    disabledReason: row.disabled_reason,
  };
}

function willBeDisabledAt(row: EndpointRow): Date | null {
  if (row.status !== "active" || !row.failing_since) return null;
  const waiting = Math.max(row.enabled_at.getTime(), row.last_success_at?.getTime() ?? 0) + disabledAfterMs;
  return new Date(Math.max(waiting, row.failing_since.getTime() + failuresSpanMs));
}

export const iso = (date: Date | null) => date?.toISOString() ?? null;
