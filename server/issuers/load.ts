import type { TxCtx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import type { IssuerKeyRow, IssuerRow } from "./view";

/** Loads an organisation as an issuer, with all its keys: the active ones first, then the next ones, then the retired ones. */
export async function loadIssuer(sql: Query, orgId: Id<"org">): Promise<IssuerRow> {
  const [[organisation], [domain], keys] = await Promise.all([
    sql<Omit<IssuerRow, "keys" | "domain">>(
      `SELECT slug, recipient_identity, created_at FROM organisations WHERE id = $1`,
      [orgId],
    ),
    sql<NonNullable<IssuerRow["domain"]>>(
      `SELECT domain, challenge, problem, created_at, checked_at, activated_at FROM issuer_domains WHERE org_id = $1 AND retired_at IS NULL`,
      [orgId],
    ),
    sql<IssuerKeyRow>(
      `SELECT id, kind, public_key, created_at, activated_at, retired_at, revoked_at FROM issuer_keys WHERE org_id = $1
       ORDER BY retired_at IS NOT NULL, activated_at IS NULL, id DESC`,
      [orgId],
    ),
  ]);
  return { ...organisation!, domain: domain ?? null, keys };
}

/** Loads and locks the issuer for a change, in a lock mode that lets other transactions refer to the organisation. */
export async function lockIssuer({ tx, orgId }: TxCtx): Promise<IssuerRow> {
  await tx.sql(`SELECT FROM organisations WHERE id = $1 FOR NO KEY UPDATE`, [orgId]);
  return loadIssuer(tx.sql, orgId);
}
