import { z } from "zod";
import { reading, type Query } from "@/server/core/db";
import type { Actor, Ctx } from "@/server/core/context";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";

/**
 * What was done in the organisation and by whom, newest first: the entries of commands without an event, and the events
 * (architecture, rule 5). Events that tell what the public did are left out.
 */
export const listAudit = query({
  name: "audit.list",
  scope: "audit:read",
  input: z.strictObject({
    actorId: z.string().max(64).optional().meta({ description: "Of this actor alone." }),
    targetId: z.string().max(64).optional().meta({ description: "About this resource alone." }),
    ...page,
  }),
  async run(ctx, input) {
    const { sql } = reading(ctx);
    const { actorId, targetId } = input;
    const found = await paginate(input, {
      binding: [ctx.orgId, "audit", actorId, targetId],
      fetch: (range) => fetchEntries(sql, ctx, { actorId, targetId, ...range }),
      count: () => countEntries(sql, ctx, { actorId, targetId }),
      keyOf: (row) => row.id.slice(4),
    });
    const names = await namesOf(sql, ctx.orgId, found.data.map((row) => row.actor));
    return { ...found, data: found.data.map((row) => view(row, names.get(row.actor.id) ?? null)) };
  },
});

interface Entry {
  id: string;
  action: string;
  actor: Actor;
  target_type: string | null;
  target_id: string;
  detail: Record<string, unknown>;
  request_id: string | null;
  created_at: Date;
}

interface Filter {
  actorId: string | undefined;
  targetId: string | undefined;
}

// As the predicate of events_commands_idx has it, which then finds the rest without a look at these.
const ofThePublic = "type IN ('credential.verified', 'credential.verify_refused', 'credential.viewed', 'credential.shared')";

// An event's body lacks its last brace until it is numbered. What does not hold the id anywhere need not be parsed.
const eventActor = "(body || CASE WHEN sequence IS NULL THEN '}' ELSE '' END)::jsonb -> 'actor'";
const entryConditions = `org_id = $1 AND ($2::text IS NULL OR actor ->> 'id' = $2) AND ($3::text IS NULL OR target_id = $3)`;
const eventConditions = `org_id = $1 AND NOT (${ofThePublic}) AND ($2::text IS NULL OR strpos(body, $2) > 0 AND ${eventActor} ->> 'id' = $2) AND ($3::text IS NULL OR resource_id = $3)`;

// Both tables' ids are a prefix and a UUIDv7: behind the prefix they sort by time, none as late as z, and each table is read along them.
const both = `
SELECT * FROM (
  (SELECT id, action, actor, target_type, target_id, detail, request_id, created_at FROM audit_entries
   WHERE ${entryConditions} AND id < 'aud_' || coalesce($4, 'z') ORDER BY id DESC LIMIT $5::bigint + $6::bigint)
  UNION ALL
  (SELECT id, type, ${eventActor}, NULL, resource_id, '{}', NULL, created_at FROM events
   WHERE ${eventConditions} AND id < 'evt_' || coalesce($4, 'z') ORDER BY id DESC LIMIT $5::bigint + $6::bigint)
) AS entry ORDER BY substr(id, 5) DESC LIMIT $5 OFFSET $6`;

function fetchEntries(sql: Query, ctx: Ctx, { actorId, targetId, after, take, skip }: Filter & { after: string | null; take: number; skip: number }) {
  return sql<Entry>(both, [ctx.orgId, actorId ?? null, targetId ?? null, after, take, skip]);
}

async function countEntries(sql: Query, ctx: Ctx, { actorId, targetId }: Filter): Promise<number> {
  const [row] = await sql<{ n: number }>(
    `SELECT (SELECT count(*) FROM audit_entries WHERE ${entryConditions}) + (SELECT count(*) FROM events WHERE ${eventConditions}) AS n`,
    [ctx.orgId, actorId ?? null, targetId ?? null],
  );
  return row!.n;
}

/** What people call those who acted, by id. Who has left the organisation is still named; a key that is gone is not. */
async function namesOf(sql: Query, orgId: string, actors: Actor[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; name: string }>(
    `SELECT id, name FROM api_keys WHERE org_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, name FROM oauth_clients WHERE org_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, coalesce(nullif(name, ''), email) FROM users WHERE id = ANY ($2)`,
    [orgId, [...new Set(actors.map((actor) => actor.id))]],
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}

function view(row: Entry, actorName: string | null) {
  return {
    id: row.id,
    object: "audit_entry" as const,
    action: row.action,
    actor: { ...row.actor, name: actorName },
    target: { type: row.target_type ?? row.action.split(".").slice(0, -1).join("."), id: row.target_id },
    detail: row.detail,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  };
}
