import type { TxCtx } from "@/server/core/context";
import { effectiveState } from "./states";
import { transition } from "./transition";
import { issuedAt, type CredentialRow } from "./view";

/**
 * Writes the state changes that locked rows are due for: the start of a pending credential, then its expiry. Emits
 * credential.issued and credential.expired. A credential gets each event once, because the written state records that
 * it happened.
 * @returns the rows as they are now, in the order given.
 */
export async function applyClock(ctx: TxCtx, rows: CredentialRow[]): Promise<CredentialRow[]> {
  const begun = await applyWhere(ctx, rows, (row) => row.state === "pending" && row.valid_from <= ctx.now, "issue");
  return applyWhere(ctx, begun, (row) => effectiveState(row, ctx.now) !== row.state, "expire");
}

/**
 * Returns a locked row as applyClock would leave it, without writing. A check that uses it can refuse a change before
 * anything is written, so that there is nothing to undo.
 */
export function withClockApplied(row: CredentialRow, now: Date): CredentialRow {
  const state = effectiveState(row, now);
  return state === row.state ? row : { ...row, state, issued_at: issuedAt(row, now) };
}

async function applyWhere(
  ctx: TxCtx,
  rows: CredentialRow[],
  isDue: (row: CredentialRow) => boolean,
  action: "issue" | "expire",
): Promise<CredentialRow[]> {
  const due = rows.filter(isDue).map((row) => ({ row }));
  const changed = new Map((await transition(ctx, due, action)).map((row) => [row.id, row]));
  return rows.map((row) => changed.get(row.id) ?? row);
}
