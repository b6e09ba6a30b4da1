import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadMessageForChange } from "./load";
import { messageView, targetOf } from "./view";

/**
 * Cancels a pending message, unless it is being handed to the mail server right now. Cancelling twice changes nothing.
 * Leaves an audit entry.
 *
 * @throws DomainError message_state if it was sent or failed, or is being sent
 */
export const cancelMessage = command({
  name: "messages.cancel",
  scope: "credentials:issue",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("msg") }),
  async run(ctx, input) {
    const before = await loadMessageForChange(ctx, input.id);
    if (before.state === "cancelled") return messageView(before, ctx);
    if (before.state !== "pending")
      throw new DomainError(
        "message_state",
        "Only a waiting message can be cancelled. This message is no longer waiting.",
      );
    if (before.lease_until && before.lease_until > ctx.now)
      throw new DomainError("message_state", "The message is being sent right now. Check its state again in a minute.");
    const error = "Cancelled.";
    await ctx.tx.sql(
      `UPDATE messages SET state = 'cancelled', error = $3, claim_id = NULL, lease_until = NULL, updated_at = $4 WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, before.id, error, ctx.now],
    );
    await ctx.tx.sql(
      `UPDATE credential_channels SET status = 'failed', error = 'The message was cancelled.', updated_at = $4
       WHERE org_id = $1 AND credential_id = $2 AND type = 'email' AND status = 'pending' AND lower(address) = lower($3)`,
      [ctx.orgId, before.credential_id, before.address, ctx.now],
    );
    await audit(ctx, "message.cancelled", targetOf(before), { messageId: publicId("msg", before.id) });
    return messageView({ ...before, state: "cancelled", error, updated_at: ctx.now }, ctx);
  },
});
