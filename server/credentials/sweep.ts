import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { applyClock } from "./apply-clock";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

/**
 * Writes the state changes that credentials of all organisations are due for. Emits credential.issued for those that
 * started and credential.expired for those that ended, each once. Processes one batch in one transaction. Skips rows
 * that another sweep or a command has locked, since that one writes them itself.
 * @returns how many credentials were written; fewer than `batch` if no more were due.
 */
export async function applyClockToDueCredentials(now: Date, batch = 500): Promise<number> {
  return transaction(async (tx) => {
    const rows = await tx.sql<CredentialRow & { org_id: Id<"org"> }>(
      `SELECT c.org_id, ${credentialColumns} FROM credentials c ${joinSubject}
       WHERE c.due_at <= $1 ORDER BY c.due_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED`,
      [now, batch],
    );
    for (const [orgId, ofOrg] of Map.groupBy(rows, (row) => row.org_id)) {
      const ctx: TxCtx = {
        orgId,
        actor: { type: "job", id: "credential_clock" },
        scopes: new Set(),
        requestId: "credential_clock",
        now,
        tx,
      };
      await applyClock(ctx, ofOrg);
    }
    return rows.length;
  });
}

/** Returns when the next credential starts or expires; null for none. */
export async function nextDueAt(): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }>(`SELECT min(due_at) AS at FROM credentials`);
  return row!.at;
}
