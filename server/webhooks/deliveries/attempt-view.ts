import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { attemptErrorClasses } from "@/server/webhooks/endpoints/error-classes";
import { visibleUrl } from "@/server/webhooks/endpoints/mask-url";

/** A row of `webhook_attempts` as raw SQL returns it. */
export interface AttemptRow {
  id: Id<"att">;
  delivery_id: Id<"dlv">;
  endpoint_id: Id<"whe">;
  number: number;
  trigger: string;
  url: string;
  address: string | null;
  request_headers: Record<string, string>;
  status_code: number | null;
  error_class: (typeof attemptErrorClasses)[number] | null;
  error_detail: string | null;
  duration_ms: number;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  response_truncated: boolean;
  created_at: Date;
}

/** The columns of AttemptRow. */
export const attemptColumns = `id, delivery_id, endpoint_id, number, trigger, url, address, request_headers, status_code, error_class, error_detail,
  duration_ms, response_headers, response_body, response_truncated, created_at`;

export const attemptSchema = z
  .object({
    id: z.string(),
    object: z.literal("webhook_attempt"),
    deliveryId: z.string(),
    endpointId: z.string(),
    number: z.int().meta({ description: "1 for the first attempt; as in svc-attempt." }),
    trigger: z.string(),
    url: z.string().meta({ description: "Path and query are masked for who lacks webhooks:write." }),
    address: z.string().nullable().meta({ description: "The address that the name led to." }),
    requestHeaders: z
      .record(z.string(), z.string())
      .meta({ description: "The values of headers of your own are left out." }),
    statusCode: z.int().nullable(),
    errorClass: z.enum(attemptErrorClasses).nullable().meta({ description: "null where it was accepted." }),
    errorDetail: z.string().nullable().meta({ description: "One sentence that explains the error." }),
    durationMs: z.int(),
    responseHeaders: z.record(z.string(), z.string()),
    responseBody: z.string().nullable().meta({ description: "Up to 16 KB of the answer." }),
    responseTruncated: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "WebhookAttempt" });

export type AttemptView = z.infer<typeof attemptSchema>;

export function attemptView(row: AttemptRow, ctx: Ctx): AttemptView {
  return {
    id: publicId("att", row.id),
    object: "webhook_attempt",
    deliveryId: publicId("dlv", row.delivery_id),
    endpointId: publicId("whe", row.endpoint_id),
    number: row.number,
    trigger: row.trigger,
    url: visibleUrl(ctx, row.url),
    address: row.address,
    requestHeaders: row.request_headers,
    statusCode: row.status_code,
    errorClass: row.error_class,
    errorDetail: row.error_detail,
    durationMs: row.duration_ms,
    responseHeaders: row.response_headers ?? {},
    responseBody: row.response_body,
    responseTruncated: row.response_truncated,
    createdAt: row.created_at.toISOString(),
  };
}
