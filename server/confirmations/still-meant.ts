import type { TxCtx } from "@/server/core/context";
import { readId } from "@/server/core/ids";
import type { ConfirmationRow } from "@/server/credentials/confirmation";
import { isMeant } from "@/server/policies/is-meant";

/**
 * Returns whether the policy that made a request still matches the person; true for requests of other actors. The
 * policy's next run cancels the request, but the holder may confirm before that.
 */
export async function isStillMeant(
  ctx: TxCtx,
  row: Pick<ConfirmationRow, "source_type" | "source_id" | "subject_id">,
): Promise<boolean> {
  if (row.source_type !== "policy" || row.source_id === null) return true;
  return isMeant(ctx, readId("pol", row.source_id), row.subject_id);
}
