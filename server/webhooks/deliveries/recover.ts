import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id, invalidInput, timestamp } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { released } from "@/server/reactions/leased-table";
import { loadActiveEndpoint } from "@/server/webhooks/endpoints/load";

export const recoverySchema = z
  .object({
    object: z.literal("webhook_recovery"),
    endpointId: z.string(),
    since: z.iso.datetime(),
    queued: z.int().meta({ description: "Deliveries that are sent now." }),
    more: z.boolean().meta({ description: "There were more than one call takes in; call again." }),
  })
  .meta({ id: "WebhookRecovery" });

/** Deliveries that one call takes, oldest first, so that it takes no more than a second or two. */
export const mostAtOnce = 50_000;

/** The time range of deliveries or events to take. */
export const span = {
  since: timestamp.meta({ override: { type: "string", format: "date-time" } }),
  until: timestamp
    .optional()
    .meta({ override: { type: "string", format: "date-time" }, description: "Not those made at this time or later." }),
};

/** @throws DomainError `invalid_request` for a range that cannot contain anything. */
export function requireSpan({ since, until }: { since: Date; until?: Date | undefined }, now: Date): void {
  if (since > now) throw invalidInput([{ pointer: "/since", code: "future", message: "must not be in the future" }]);
  if (until && until <= since)
    throw invalidInput([{ pointer: "/until", code: "too_early", message: "must be later than since" }]);
}

/**
 * Sends every delivery again that failed or was parked since the given time, with a new schedule of retries. Skips
 * tests and deliveries whose event has expired. Up to 50,000 in one call, oldest first. Writes an audit entry.
 */
export const recoverWebhookEndpoint = command({
  name: "webhook_endpoints.recover",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe"), ...span }),
  async run(ctx, input) {
    requireSpan(input, ctx.now);
    const endpoint = await loadActiveEndpoint(ctx, input.id);
    const [row] = await ctx.tx.sql<{ queued: number }>(
      `WITH stuck AS (
         SELECT d.org_id, d.id FROM webhook_deliveries d
         WHERE d.org_id = $1 AND d.endpoint_id = $2 AND d.status IN ('failed', 'parked') AND d.trigger <> 'test' AND d.created_at >= $3 AND ($4::timestamptz IS NULL OR d.created_at < $4)
           AND (d.body IS NOT NULL OR EXISTS (SELECT FROM events e WHERE e.org_id = d.org_id AND e.id = d.event_id OFFSET 0))
         ORDER BY d.id LIMIT ${mostAtOnce} FOR UPDATE
       ), begun AS (
         UPDATE webhook_deliveries d SET status = 'pending', trigger = 'recover', retry_step = 0, next_attempt_at = $5, completed_at = NULL, ${released}
         FROM stuck WHERE d.org_id = stuck.org_id AND d.id = stuck.id RETURNING 1
       ) SELECT count(*) AS queued FROM begun`,
      [ctx.orgId, endpoint.id, input.since, input.until ?? null, ctx.now],
      false,
    );
    const { queued } = row!;
    await audit(
      ctx,
      "webhook_endpoint.recovered",
      { type: "webhook_endpoint", id: publicId("whe", endpoint.id) },
      { since: input.since.toISOString(), queued },
    );
    ctx.tx.nudgeAfterCommit("deliveries");
    return {
      object: "webhook_recovery" as const,
      endpointId: publicId("whe", endpoint.id),
      since: input.since.toISOString(),
      queued,
      more: queued === mostAtOnce,
    };
  },
});
