import { z } from "zod";
import { reading } from "@/server/core/db";
import { namesOf } from "./names-of";
import { estimatedAddresses } from "./security-events";
import { publicId, type Id } from "@/server/core/ids";
import { severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { securityEventTypes, type SecurityEventType } from "@/server/core/security-counts";

interface Row {
  id: Id<"sev">;
  type: SecurityEventType;
  address: string | null;
  target_type: string | null;
  target_id: string | null;
  detail: Record<string, string>;
  filled: number | null;
  request_id: string;
  count: number;
  first_at: Date;
  last_at: Date;
}

/**
 * Lists attempts to get in, or to do more than allowed, that concern the organisation, newest first.
 * Equal events within an hour are one row with a count. A row whose address is null sums up the events of its type
 * beyond the hourly limit of rows; `addresses` is the estimated number of their addresses.
 */
export const listSecurityEvents = query({
  name: "security.list",
  scope: "audit:read",
  input: z.strictObject({ type: severalOf(securityEventTypes).optional(), ...page }),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "security", input.type],
      fetch: ({ after, take, skip }) =>
        sql<Row>(
          `SELECT e.id, e.type, e.address, e.target_type, e.target_id, e.detail, bit_count(e.buckets)::int AS filled, e.request_id, e.count, e.first_at, e.last_at
           FROM security_events e
           WHERE e.org_id = $1 AND ($2::text[] IS NULL OR e.type = ANY($2)) AND ($3::uuid IS NULL OR e.id < $3) ORDER BY e.id DESC LIMIT $4 OFFSET $5`,
          [ctx.orgId, input.type ?? null, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(
            `SELECT count(*) AS n FROM security_events WHERE org_id = $1 AND ($2::text[] IS NULL OR type = ANY($2))`,
            [ctx.orgId, input.type ?? null],
          )
        )[0]!.n,
      keyOf: (row) => row.id,
    });
    const names = await namesOf(
      sql,
      ctx.orgId,
      found.data.map((row) => row.target_id),
    );
    return { ...found, data: found.data.map((row) => view(row, names.get(row.target_id ?? "") ?? null)) };
  },
});

function view(row: Row, targetName: string | null) {
  return {
    id: publicId("sev", row.id),
    object: "security_event" as const,
    type: row.type,
    address: row.address,
    /** Estimated number of addresses, for a row without an address. */
    addresses: row.filled === null ? null : estimatedAddresses(row.filled),
    target: row.target_type && row.target_id ? { type: row.target_type, id: row.target_id, name: targetName } : null,
    detail: row.detail,
    requestId: row.request_id,
    count: row.count,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
  };
}
