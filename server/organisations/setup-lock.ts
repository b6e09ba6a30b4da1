import { advisoryLocks } from "@/server/core/advisory-locks";
import type { Tx } from "@/server/core/transaction";

/** Serialises the creation and use of setup links. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx.sql(`SELECT pg_advisory_xact_lock($1)`, [advisoryLocks.setup]);
}
