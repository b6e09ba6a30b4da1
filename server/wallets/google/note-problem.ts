import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { log } from "@/server/core/log";

/** Stores for admins why Google accepts no passes; null clears it. */
export async function noteGoogleProblem(orgId: Id<"org">, problem: string | null): Promise<void> {
  if (problem) log().warn({ problem }, "Google Wallet did not accept a pass");
  await queueSql(`UPDATE google_wallet_settings SET problem = $2 WHERE org_id = $1 AND problem IS DISTINCT FROM $2`, [
    orgId,
    problem,
  ]);
}
