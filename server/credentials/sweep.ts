import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { applyClock } from "./apply-clock";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

/**
 * Writes what the clock has decided of credentials, of all organisations: credential.issued for those that started,
 * credential.expired for those that ended, each once. One batch in one transaction; what another sweep or a command
 * holds is passed over, since that will write it itself. @returns how many credentials were written; fewer than `batch`
 * were due then.
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

/** When the next credential starts or expires; null for none. */
export async function nextDueAt(): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }>(`SELECT min(due_at) AS at FROM credentials`);
  return row!.at;
}
