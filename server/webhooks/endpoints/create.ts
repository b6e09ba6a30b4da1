import { z } from "zod";
import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { endpointFields, mergeHeaders } from "./input";
import { ensureRateLimitRow } from "./rate-limit";
import { newSecret, sealHeaders, sealSecret } from "./secret";
import { endpointColumns, endpointFactsOf, endpointTag, endpointView, type EndpointRow } from "./view";

const maxEndpoints = 200;

/** Registers an endpoint and returns its signing secret, only this once (spec 2.3). Emits webhook.endpoint.created. */
export const createWebhookEndpoint = command({
  name: "webhook_endpoints.create",
  scope: "webhooks:write",
  input: z.strictObject(endpointFields),
  tag: endpointTag,
  async run(ctx, input) {
    const headers = mergeHeaders({}, input.headers);
    if (!headers) throw tooManyHeaders();
    const [count] = await ctx.tx.sql<{ n: number }>(
      `SELECT count(*) AS n FROM webhook_endpoints WHERE org_id = $1 AND deleted_at IS NULL`,
      [ctx.orgId],
    );
    if (count!.n >= maxEndpoints)
      throw new DomainError(
        "limit_reached",
        `An organisation has at most ${maxEndpoints} webhook endpoints. Delete one first.`,
      );
    const id = newId("whe");
    const secret = newSecret();
    const [row] = await ctx.tx.sql<EndpointRow>(
      `INSERT INTO webhook_endpoints (org_id, id, url, description, event_types, headers, header_names, rate_limit, secret, enabled_at, metadata, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, merge_attributes('{}', $11), $10, $10) RETURNING ${endpointColumns}`,
      [
        ctx.orgId,
        id,
        input.url,
        input.description ?? "",
        input.eventTypes ?? [],
        sealHeaders(id, headers),
        Object.keys(headers),
        input.rateLimit ?? null,
        sealSecret(id, secret),
        ctx.now,
        input.metadata ?? {},
      ],
    );
    if (row!.rate_limit !== null) ensureRateLimitRow(ctx, id);
    await append(ctx, { type: "webhook.endpoint.created", resourceId: id, object: endpointFactsOf(row!) });
    return { ...endpointView(row!, ctx), secret };
  },
});

export function tooManyHeaders(): DomainError {
  return invalidInput([{ pointer: "/headers", code: "too_big", message: "must not be more than 20" }]);
}
