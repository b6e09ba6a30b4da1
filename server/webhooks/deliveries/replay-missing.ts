import { z } from "zod";
import { audit } from "@/server/access/audit";
import { advisoryLocks } from "@/server/core/advisory-locks";
import { publicId, uuidOf } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadActiveEndpoint } from "@/server/webhooks/endpoints/load";
import { mostAtOnce, requireSpan, span } from "./recover";

/**
 * Sends events since the given time that the endpoint subscribes to now and never received, because it was registered
 * or subscribed to them later. Up to 50,000 in one call. Writes an audit entry.
 */
export const replayMissingEvents = command({
  name: "webhook_endpoints.replay_missing",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe"), ...span }),
  async run(ctx, input) {
    requireSpan(input, ctx.now);
    const endpoint = await loadActiveEndpoint(ctx, input.id);
    // One replay per endpoint at a time: two at once would find the same events missing. The lock is a statement of its
    // own, so that the next statement sees what an earlier replay inserted. The endpoint's row is not locked, because
    // the dispatcher must be able to write its health.
    await ctx.tx.sql(`SELECT pg_advisory_xact_lock($1, hashtext($2))`, [
      advisoryLocks.replayMissing,
      uuidOf(endpoint.id),
    ]);
    const [row] = await ctx.tx.sql<{ queued: number }>(
      `WITH missing AS (
         SELECT e.id, e.type, e.sequence FROM event_log e
         WHERE e.org_id = $1 AND e.created_at >= $3 AND ($4::timestamptz IS NULL OR e.created_at < $4)
           AND ($5::text[] = '{}' OR event_matches(e.type, $5)) AND NOT (e.type = 'webhook.endpoint.disabled' AND e.resource_id = $2)
           AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.org_id = e.org_id AND d.event_id = e.id AND d.endpoint_id = $2)
         ORDER BY e.sequence LIMIT ${mostAtOnce}
       ), made AS (
         INSERT INTO webhook_deliveries (org_id, id, endpoint_id, event_id, event_type, sequence, trigger, next_attempt_at, created_at)
         SELECT $1, uuidv7(), $2, id, type, sequence, 'replay', $6, $6 FROM missing ORDER BY sequence RETURNING 1
       ) SELECT count(*) AS queued FROM made`,
      [ctx.orgId, endpoint.id, input.since, input.until ?? null, endpoint.event_types, ctx.now],
      false,
    );
    const { queued } = row!;
    await audit(
      ctx,
      "webhook_endpoint.missing_replayed",
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
