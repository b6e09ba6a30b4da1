import type { Tx } from "@/server/core/transaction";

/** The number is arbitrary and only has to be ours. */
const setupLock = 7_266_332;

/** Lets one transaction at a time make or use a set-up link. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx.sql(`SELECT pg_advisory_xact_lock($1)`, [setupLock]);
}
