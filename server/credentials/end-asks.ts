import type { TxCtx } from "@/server/core/context";
import { findWaiting } from "./ask-names";
import { cancelConfirmations } from "./cancel-confirmations";
import { insertCredentials, type Inserted, type NewCredential } from "./insert-credentials";
import { issuedUnasked } from "./issued-unasked";

/**
 * Inserts drafts, and cancels waiting requests to confirm a name for the same credentials: a template may have asked
 * before, and no longer do so. The requests are locked before the credentials, in the same order as a confirmation, to
 * avoid deadlocks.
 *
 * @returns the result of insertCredentials
 */
export async function insertAndEndAsks(ctx: TxCtx, wanted: NewCredential[]): Promise<Inserted[]> {
  const waiting = await findWaiting(
    ctx,
    wanted.filter(({ draft }) => draft.exclusive && draft.context.hasAsks),
  );
  const inserted = await insertCredentials(ctx, wanted);
  for (const { each, id } of waiting) {
    const result = inserted[wanted.indexOf(each)]!;
    if ("row" in result && result.created) await cancelConfirmations(ctx, [id], issuedUnasked(result.row.code));
  }
  return inserted;
}
