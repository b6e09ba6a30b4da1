import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { checkMergedMetadata } from "@/server/core/free-json";
import type { Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { tooManyHeaders } from "./create";
import { endpointFields, mergeHeaders } from "./input";
import { loadEndpoint } from "./load";
import { ensureRateLimitRow } from "./rate-limit";
import { openHeaders, sealHeaders } from "./secret";
import { endpointColumns, endpointFactsOf, endpointTag, endpointView, type EndpointRow } from "./view";

/**
 * Changes an endpoint. Pending deliveries go to the new URL, and failures of the old URL no longer count. Emits
 * webhook.endpoint.updated; does nothing if nothing changed.
 */
export const updateWebhookEndpoint = command({
  name: "webhook_endpoints.update",
  scope: "webhooks:write",
  input: z.strictObject({ id: id("whe"), ifMatch, ...endpointFields, url: endpointFields.url.optional() }),
  tag: endpointTag,
  async run(ctx, input) {
    const before = await loadEndpoint(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, endpointTag(endpointView(before, ctx)));
    const headers = input.headers && (await changedHeaders(ctx, before.id, input.headers));
    const next = {
      url: input.url ?? before.url,
      description: input.description ?? before.description,
      eventTypes: input.eventTypes ?? before.event_types,
      headerNames: headers ? Object.keys(headers) : before.header_names,
      rateLimit: input.rateLimit === undefined ? before.rate_limit : input.rateLimit,
    };
    const facts = endpointFactsOf(before);
    const stored = { ...facts, url: before.url };
    const changed = (Object.keys(next) as (keyof typeof next)[]).filter(
      (field) => JSON.stringify(next[field]) !== JSON.stringify(stored[field]),
    );
    const metadata = input.metadata && (await mergedMetadata(ctx, before, input.metadata));
    if (changed.length === 0 && !headers && !metadata) return endpointView(before, ctx);
    const [row] = await ctx.tx.sql<EndpointRow>(
      `UPDATE webhook_endpoints SET url = $3, description = $4, event_types = $5, header_names = $6, rate_limit = $7,
         headers = CASE WHEN $8 THEN $9 ELSE headers END, metadata = coalesce($11, metadata), updated_at = $10,
         failing_since = CASE WHEN url = $3 THEN failing_since END, enabled_at = CASE WHEN url = $3 THEN enabled_at ELSE $10 END
       WHERE org_id = $1 AND id = $2 RETURNING ${endpointColumns}`,
      [
        ctx.orgId,
        before.id,
        next.url,
        next.description,
        next.eventTypes,
        next.headerNames,
        next.rateLimit,
        headers !== undefined,
        headers ? sealHeaders(before.id, headers) : null,
        ctx.now,
        metadata ?? null,
      ],
    );
    if (next.rateLimit !== null) ensureRateLimitRow(ctx, before.id);
    const previous = Object.fromEntries(changed.map((field) => [field, facts[field]]));
    await append(ctx, {
      type: "webhook.endpoint.updated",
      resourceId: before.id,
      object: endpointFactsOf(row!),
      previous,
    });
    return endpointView(row!, ctx);
  },
});

/** Returns the merged metadata; undefined if the change leaves the metadata as it is. */
async function mergedMetadata(
  ctx: TxCtx,
  before: EndpointRow,
  change: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await ctx.tx.sql<{ merged: Record<string, unknown>; same: boolean }>(
    `SELECT merge_attributes(metadata, $3) AS merged, merge_attributes(metadata, $3) = metadata AS same FROM webhook_endpoints WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, before.id, change],
  );
  checkMergedMetadata(row!.merged);
  return row!.same ? undefined : row!.merged;
}

/** Returns the merged headers; undefined if the change leaves the headers as they are. */
async function changedHeaders(
  ctx: TxCtx,
  endpointId: Id<"whe">,
  change: Record<string, string | null>,
): Promise<Record<string, string> | undefined> {
  const [stored] = await ctx.tx.sql<{ headers: Uint8Array | null }>(
    `SELECT headers FROM webhook_endpoints WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, endpointId],
  );
  const before = openHeaders(endpointId, stored!.headers);
  const after = mergeHeaders(before, change);
  if (!after) throw tooManyHeaders();
  return JSON.stringify(after) === JSON.stringify(before) ? undefined : after;
}
