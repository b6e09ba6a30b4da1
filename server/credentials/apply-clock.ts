import type { TxCtx } from "@/server/core/context";
import { effectiveState } from "./states";
import { transition } from "./transition";
import type { CredentialRow } from "./view";

/**
 * Writes what the clock has decided of locked rows: the start of a pending credential, then its expiry. Emits
 * credential.issued and credential.expired, each once in a credential's life, since the written state then says so.
 * @returns the rows as they are now, in the order given.
 */
export async function applyClock(ctx: TxCtx, rows: CredentialRow[]): Promise<CredentialRow[]> {
  const begun = await replaceWhere(
    rows,
    (row) => row.state === "pending" && row.valid_from <= ctx.now,
    (due) => transition(ctx, due, "issue"),
  );
  return replaceWhere(
    begun,
    (row) => effectiveState(row, ctx.now) !== row.state,
    (due) => transition(ctx, due, "expire"),
  );
}

async function replaceWhere(
  rows: CredentialRow[],
  isDue: (row: CredentialRow) => boolean,
  change: (due: CredentialRow[]) => Promise<CredentialRow[]>,
): Promise<CredentialRow[]> {
  const changed = new Map((await change(rows.filter(isDue))).map((row) => [row.id, row]));
  return rows.map((row) => changed.get(row.id) ?? row);
}
