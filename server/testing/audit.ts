import type { Id } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";

/** Returns the actions in an organisation's audit log, in the order of writing. */
export async function auditOf(orgId: Id<"org">): Promise<string[]> {
  const rows = await sql<{ action: string }>(`SELECT action FROM audit_entries WHERE org_id = $1 ORDER BY id`, [orgId]);
  return rows.map((row) => row.action);
}
