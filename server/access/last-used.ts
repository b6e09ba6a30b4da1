import { pool } from "@/server/core/db";

type Kind = "api_key" | "oauth_client";

const seen = new Map<string, { kind: Kind; orgId: string; id: string; at: Date }>();
let timer: NodeJS.Timeout | undefined;

/** Remembers when a key or client was used; written every few seconds in one statement, since a write a request would cost as much as the request. */
export function noteKeyUse(kind: Kind, orgId: string, id: string, at: Date): void {
  seen.set(`${orgId}/${id}`, { kind, orgId, id, at });
  timer ??= setTimeout(() => void flushKeyUse().catch(() => undefined), 5000).unref();
}

/** Writes what is remembered. Called by the timer and at a clean stop. */
export async function flushKeyUse(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const rows = [...seen.values()];
  seen.clear();
  for (const kind of ["api_key", "oauth_client"] as const) {
    const some = rows.filter((r) => r.kind === kind);
    if (some.length === 0) continue;
    await pool().query(
      `UPDATE ${kind}s AS target SET last_used_at = greatest(target.last_used_at, used.at)
       FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS used (org_id, id, at)
       WHERE target.org_id = used.org_id AND target.id = used.id`,
      [some.map((r) => r.orgId), some.map((r) => r.id), some.map((r) => r.at)],
    );
  }
}
