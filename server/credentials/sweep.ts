import type { TxCtx } from "@/server/core/context";
import { sql, transaction } from "@/server/core/db";
import { settle } from "./settle";
import { credentialColumns, type CredentialRow } from "./view";

const live = "c.state IN ('pending', 'active', 'suspended')";
const due = {
  start: "c.state = 'pending' AND c.valid_from <= $1",
  expiry: `${live} AND c.expires_at <= $1`,
};

/** Writes the start of pending credentials whose time has come, of all organisations: credential.issued, once. @returns how many. */
export function startDueCredentials(now: Date, batch = 500): Promise<number> {
  return sweep("start", now, batch);
}

/** Writes the expiry of credentials whose time has come, of all organisations: credential.expired, once. @returns how many. */
export function expireDueCredentials(now: Date, batch = 500): Promise<number> {
  return sweep("expiry", now, batch);
}

/** When the next credential starts or expires; null for none. */
export async function nextDueAt(): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }>(
    `SELECT least((SELECT min(c.valid_from) FROM credentials c WHERE c.state = 'pending'),
                  (SELECT min(c.expires_at) FROM credentials c WHERE ${live})) AS at`,
  );
  return row!.at;
}

/** One batch in one transaction. What another sweep or a command holds is passed over: it will write it itself. */
async function sweep(kind: keyof typeof due, now: Date, batch: number): Promise<number> {
  return transaction(async (tx) => {
    const rows = await tx.sql<CredentialRow & { org_id: string }>(
      `SELECT c.org_id, ${credentialColumns} FROM credentials c JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
       WHERE ${due[kind]} LIMIT $2 FOR UPDATE OF c SKIP LOCKED`,
      [now, batch],
    );
    for (const [orgId, ofOrg] of Map.groupBy(rows, (row) => row.org_id)) {
      const ctx: TxCtx = { orgId, actor: { type: "job", id: "credential_clock" }, scopes: new Set(), requestId: "credential_clock", now, tx };
      await settle(ctx, ofOrg);
    }
    return rows.length;
  });
}
