import { z } from "zod";
import { reading, type Query } from "@/server/core/db";
import type { Actor, Ctx } from "@/server/core/context";
import { asId, lastId, publicId, readAnyId, type Id } from "@/server/core/ids";
import { resourceOf } from "@/server/core/event-resource";
import { severalIdTexts } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { namesOf } from "./names-of";

/**
 * Lists what was done in the organisation and by whom, newest first: audit entries of commands without an event, and
 * events (docs/architecture.md, rule 2). Omits events that record what the public did.
 */
export const listAudit = query({
  name: "audit.list",
  scope: "audit:read",
  input: z.strictObject({
    actorId: severalIdTexts
      .optional()
      .meta({ override: { type: "string" }, description: "Of this actor; several separated by commas." }),
    targetId: severalIdTexts
      .optional()
      .meta({ override: { type: "string" }, description: "About this resource; several separated by commas." }),
    ...page,
  }),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const { actorId, targetId } = input;
    const found = await paginate(input, {
      binding: [ctx.orgId, "audit", actorId, targetId],
      fetch: (range) => fetchEntries(sql, ctx, { actorId, targetId, ...range }),
      count: () => countEntries(sql, ctx, { actorId, targetId }),
      keyOf: (row) => row.id,
    });
    const names = await namesOf(
      sql,
      ctx.orgId,
      found.data.map((row) => row.actor.id),
    );
    return { ...found, data: found.data.map((row) => view(row, names.get(row.actor.id) ?? null)) };
  },
});

interface Entry {
  id: Id<"aud" | "evt">;
  action: string;
  actor: Actor;
  target_type: string | null;
  /** In the form that callers see. Null for an event, which has `resource_id` instead. */
  target_id: string | null;
  resource_id: Id | null;
  detail: Record<string, unknown>;
  request_id: string | null;
  created_at: Date;
}

interface Filter {
  actorId: string[] | undefined;
  targetId: string[] | undefined;
}

// Must equal the predicate of events_commands_idx, so that the index skips these events.
const ofThePublic =
  "type IN ('credential.verified', 'credential.verify_refused', 'credential.viewed', 'credential.shared')";

// An event's body is stored without its last brace. The strpos below avoids parsing bodies that hold none of the ids.
const eventActor = "(body || '}')::jsonb -> 'actor'";
const entryConditions = `org_id = $1 AND ($2::text[] IS NULL OR actor ->> 'id' = ANY($2)) AND ($3::text[] IS NULL OR target_id = ANY($3))`;
const eventConditions = `org_id = $1 AND NOT (${ofThePublic}) AND ($2::text[] IS NULL OR EXISTS (SELECT FROM unnest($2::text[]) AS asked WHERE strpos(body, asked) > 0) AND ${eventActor} ->> 'id' = ANY($2)) AND ($4::uuid[] IS NULL OR resource_id = ANY($4))`;

// The ids of both tables sort by time. Each table is read in the order of its ids from the start of the page.
const both = `
SELECT * FROM (
  (SELECT id, action, actor, target_type, target_id, NULL::uuid AS resource_id, detail, request_id, created_at FROM audit_entries
   WHERE ${entryConditions} AND id < coalesce($5, '${lastId}'::uuid) ORDER BY id DESC LIMIT $6::bigint + $7::bigint)
  UNION ALL
  (SELECT id, type, ${eventActor}, NULL, NULL, resource_id, '{}', NULL, created_at FROM events
   WHERE ${eventConditions} AND id < coalesce($5, '${lastId}'::uuid) ORDER BY id DESC LIMIT $6::bigint + $7::bigint)
) AS entry ORDER BY id DESC LIMIT $6 OFFSET $7`;

function fetchEntries(
  sql: Query,
  ctx: Ctx,
  { actorId, targetId, after, take, skip }: Filter & { after: string | null; take: number; skip: number },
) {
  return sql<Entry>(both, [
    ctx.orgId,
    actorId ?? null,
    targetId ?? null,
    targetId?.map(readAnyId) ?? null,
    after,
    take,
    skip,
  ]);
}

async function countEntries(sql: Query, ctx: Ctx, { actorId, targetId }: Filter): Promise<number> {
  const [row] = await sql<{ n: number }>(
    `SELECT (SELECT count(*) FROM audit_entries WHERE ${entryConditions}) + (SELECT count(*) FROM events WHERE ${eventConditions}) AS n`,
    [ctx.orgId, actorId ?? null, targetId ?? null, targetId?.map(readAnyId) ?? null],
  );
  return row!.n;
}

function view(row: Entry, actorName: string | null) {
  return {
    id: row.target_type === null ? publicId("evt", asId(row.id)) : publicId("aud", asId(row.id)),
    object: "audit_entry" as const,
    action: row.action,
    actor: { ...row.actor, name: actorName },
    target: {
      type: row.target_type ?? row.action.split(".").slice(0, -1).join("."),
      id: row.target_id ?? publicId(resourceOf(row.action), row.resource_id!),
    },
    detail: row.detail,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  };
}
