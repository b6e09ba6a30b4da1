import { pool } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";

type Kind = "api_key" | "oauth_client";

interface Use {
  kind: Kind;
  orgId: Id<"org">;
  id: Id<"key" | "ocl">;
  at: Date;
}

// One per process, so that a stop of the server also writes uses recorded by Next's bundle.
const state = processState("last use of keys", () => ({
  seen: new Map<string, Use>(),
  timer: undefined as NodeJS.Timeout | undefined,
}));
const { seen } = state;

/**
 * Records the last use of a key or client. Uses are written every few seconds in one statement, because a write per
 * request would cost as much as the request.
 */
export function noteKeyUse(kind: Kind, orgId: Id<"org">, id: Id<"key" | "ocl">, at: Date): void {
  seen.set(`${orgId}/${id}`, { kind, orgId, id, at });
  state.timer ??= setTimeout(
    () =>
      void flushKeyUse().catch((error: unknown) =>
        log().warn({ err: error }, "the last use of keys could not be written; it is kept"),
      ),
    5000,
  ).unref();
}

/**
 * Writes the recorded uses. Called by the timer and at a clean stop. Uses that cannot be written are kept for the next
 * time, unless a later use has come.
 */
export async function flushKeyUse(): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  const rows = [...seen.values()];
  seen.clear();
  try {
    for (const kind of ["api_key", "oauth_client"] as const)
      await write(
        kind,
        rows.filter((r) => r.kind === kind),
      );
  } catch (error) {
    for (const { kind, orgId, id, at } of rows) if (!seen.has(`${orgId}/${id}`)) noteKeyUse(kind, orgId, id, at);
    throw error;
  }
}

async function write(kind: Kind, uses: Use[]): Promise<void> {
  if (uses.length === 0) return;
  await pool().query(
    `UPDATE ${kind}s AS target SET last_used_at = greatest(target.last_used_at, used.at)
     FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (org_id, id, at)
     CROSS JOIN LATERAL (SELECT ctid AS tid FROM ${kind}s WHERE org_id = used.org_id AND id = used.id FOR UPDATE) found
     WHERE target.ctid = found.tid`,
    [uses.map((r) => r.orgId), uses.map((r) => r.id), uses.map((r) => r.at)],
  );
}
