import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { Failures } from "@/server/core/failures";
import type { Id } from "@/server/core/ids";
import { transaction, type Tx } from "@/server/core/transaction";
import { applyClock } from "./apply-clock";
import { credentialColumns, joinSubject, type CredentialRow } from "./view";

/**
 * Writes the state changes that credentials of all organisations are due for. Emits credential.issued for those that
 * started and credential.expired for those that ended, each once. Processes one batch in one transaction. Skips rows
 * that another sweep or a command has locked, since that one writes them itself. If the batch fails, writes each
 * credential in a transaction of its own, so that one that cannot be written does not stop the others; its error is thrown
 * once only such are left.
 * @returns how many credentials were written; 0 if no more were due.
 */
export async function applyClockToDueCredentials(now: Date, batch = 500): Promise<number> {
  try {
    return await transaction(async (tx) =>
      writeStates(
        tx,
        await tx.sql<DueRow>(
          `${selectDue} WHERE c.due_at <= $1 ORDER BY c.due_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED`,
          [now, batch],
        ),
        now,
      ),
    );
  } catch {
    return writeApart(now, batch);
  }
}

type DueRow = CredentialRow & { org_id: Id<"org"> };
const selectDue = `SELECT c.org_id, ${credentialColumns} FROM credentials c ${joinSubject}`;

async function writeStates(tx: Tx, rows: DueRow[], now: Date): Promise<number> {
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
}

async function writeApart(now: Date, batch: number): Promise<number> {
  // Organisations take turns, so that one of which no credential can be written does not fill the batch.
  const due = await sql<{ org_id: Id<"org">; id: Id<"crd"> }>(
    `SELECT org_id, id FROM (
       SELECT org_id, id, due_at, row_number() OVER (PARTITION BY org_id ORDER BY due_at) AS turn FROM credentials WHERE due_at <= $1
     ) each ORDER BY turn, due_at LIMIT $2`,
    [now, batch],
  );
  const failures = new Failures();
  let written = 0;
  for (const { org_id, id } of due)
    written +=
      (await failures.keep(
        transaction(async (tx) =>
          writeStates(
            tx,
            await tx.sql<DueRow>(
              `${selectDue} WHERE c.org_id = $1 AND c.id = $2 AND c.due_at <= $3 FOR UPDATE OF c SKIP LOCKED`,
              [org_id, id, now],
            ),
            now,
          ),
        ),
      )) ?? 0;
  if (written === 0) failures.throw();
  return written;
}

/** Returns when the next credential starts or expires; null for none. */
export async function nextDueAt(): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }>(`SELECT min(due_at) AS at FROM credentials`);
  return row!.at;
}
