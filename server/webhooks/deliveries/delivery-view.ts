import { z } from "zod";
import { publicId, type Id } from "@/server/core/ids";
import { attemptErrorClasses } from "@/server/webhooks/endpoints/error-classes";
import { deliveryStatuses, deliveryTriggers } from "./delivery-states";
import { iso } from "@/server/webhooks/endpoints/view";

/** A row of `webhook_deliveries` as raw SQL returns it. */
export interface DeliveryRow {
  id: Id<"dlv">;
  endpoint_id: Id<"whe">;
  event_id: Id<"evt">;
  event_type: string;
  sequence: number;
  status: (typeof deliveryStatuses)[number];
  trigger: (typeof deliveryTriggers)[number];
  attempt_count: number;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  last_status_code: number | null;
  last_error_class: (typeof attemptErrorClasses)[number] | null;
  created_at: Date;
  completed_at: Date | null;
}

/** The columns of DeliveryRow. */
export const deliveryColumns = `id, endpoint_id, event_id, event_type, sequence, status, trigger, attempt_count, next_attempt_at, lease_until,
  last_status_code, last_error_class, created_at, completed_at`;

const time = z.iso.datetime().nullable();

export const deliverySchema = z
  .object({
    id: z.string(),
    object: z.literal("webhook_delivery"),
    endpointId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    sequence: z.int().meta({ description: "The event's place in the log; 0 for a test." }),
    status: z.enum(deliveryStatuses).meta({
      description:
        "pending: waits for its first or next attempt. failed: all retries are used up. parked: its endpoint was disabled. cancelled: its endpoint was deleted, or the event expired.",
    }),
    trigger: z.enum(deliveryTriggers).meta({ description: "Why it was made, or last begun anew." }),
    attemptCount: z.int(),
    nextAttemptAt: time,
    lastStatusCode: z.int().nullable(),
    lastErrorClass: z.enum(attemptErrorClasses).nullable(),
    createdAt: z.iso.datetime(),
    completedAt: time,
  })
  .meta({ id: "WebhookDelivery" });

export type DeliveryView = z.infer<typeof deliverySchema>;

export function deliveryView(row: DeliveryRow): DeliveryView {
  return {
    id: publicId("dlv", row.id),
    object: "webhook_delivery",
    endpointId: publicId("whe", row.endpoint_id),
    eventId: publicId("evt", row.event_id),
    eventType: row.event_type,
    sequence: row.sequence,
    status: row.status,
    trigger: row.trigger,
    attemptCount: row.attempt_count,
    nextAttemptAt: iso(row.next_attempt_at),
    lastStatusCode: row.last_status_code,
    lastErrorClass: row.last_error_class,
    createdAt: row.created_at.toISOString(),
    completedAt: iso(row.completed_at),
  };
}
