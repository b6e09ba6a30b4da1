import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, readId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { percentile } from "./buckets";
import { endpointListInput, findEndpoints } from "./list";
import { loadEndpoint } from "./load";

const hourMs = 3_600_000;
const hours = { day: 24, week: 168 } as const;

const summary = z.object({
  attempts: z.int(),
  succeeded: z.int(),
  successRate: z.number().nullable().meta({ description: "0 to 1; null without attempts." }),
  p95Ms: z.int().nullable().meta({ description: "95 % of the attempts took no longer than about this." }),
});

export const statisticsSchema = z
  .object({
    object: z.literal("webhook_endpoint_statistics"),
    endpointId: z.string(),
    last24Hours: summary,
    last7Days: summary,
    hours: z
      .array(z.object({ hour: z.iso.datetime(), succeeded: z.int(), failed: z.int() }))
      .meta({ description: "Attempts in each of the last 24 hours, the oldest first." }),
  })
  .meta({ id: "WebhookEndpointStatistics" });

export type EndpointStatistics = z.infer<typeof statisticsSchema>;

/** Returns how an endpoint has been doing: success rate, 95th percentile of durations, and attempts per hour. */
export const getEndpointStatistics = query({
  name: "webhook_endpoints.statistics",
  scope: "webhooks:read",
  input: z.strictObject({ id: id("whe") }),
  async run(ctx, input) {
    const endpoint = await loadEndpoint(ctx, input.id);
    return summarise(endpoint.id, ctx.now, await countsOf(ctx, [endpoint.id]));
  },
});

/** Returns the statistics of the endpoints that listWebhookEndpoints returns for the same input, in the same order. */
export const listEndpointStatistics = query({
  name: "webhook_endpoints.statistics_of_all",
  scope: "webhooks:read",
  input: endpointListInput,
  async run(ctx, input) {
    const { data, ...page } = await findEndpoints(ctx, input);
    const ids = data.map((endpoint) => readId("whe", endpoint.id));
    const counts = Map.groupBy(await countsOf(ctx, ids), (count) => count.endpointId);
    return { ...page, data: ids.map((endpointId) => summarise(endpointId, ctx.now, counts.get(endpointId) ?? [])) };
  },
});

interface Count {
  endpointId: Id<"whe">;
  hour: Date;
  ok: boolean;
  bucket: number;
  attempts: number;
}

function countsOf(ctx: Ctx, endpointIds: Id<"whe">[]): Promise<Count[]> {
  return reading(ctx).sql<Count>(
    `SELECT given.id AS "endpointId", hour, ok, bucket, attempts FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM webhook_statistics WHERE org_id = ${opaque("$1")} AND endpoint_id = given.id AND hour > $3 AND hour <= $4 OFFSET 0) counted`,
    [ctx.orgId, endpointIds, new Date(ctx.now.getTime() - hours.week * hourMs), ctx.now],
  );
}

function summarise(endpointId: Id<"whe">, now: Date, counts: Count[]): EndpointStatistics {
  const dayAgo = new Date(now.getTime() - hours.day * hourMs);
  const recent = counts.filter((count) => count.hour > dayAgo);
  const byHour = Map.groupBy(recent, (count) => count.hour.getTime());
  const thisHour = Math.floor(now.getTime() / hourMs) * hourMs;
  return {
    object: "webhook_endpoint_statistics",
    endpointId: publicId("whe", endpointId),
    last24Hours: total(recent),
    last7Days: total(counts),
    hours: Array.from({ length: hours.day }, (_, i) => thisHour - (hours.day - 1 - i) * hourMs).map((hour) => {
      const { attempts, succeeded } = total(byHour.get(hour) ?? []);
      return { hour: new Date(hour).toISOString(), succeeded, failed: attempts - succeeded };
    }),
  };
}

function total(counts: Count[]) {
  const sum = (some: Count[]) => some.reduce((n, count) => n + count.attempts, 0);
  const attempts = sum(counts);
  const succeeded = sum(counts.filter((count) => count.ok));
  return {
    attempts,
    succeeded,
    successRate: attempts === 0 ? null : succeeded / attempts,
    p95Ms: percentile(counts, 0.95),
  };
}
