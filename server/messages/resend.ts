import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { loadMessageForChange } from "./load";
import { messageView, outdatedMessage, targetOf } from "./view";

/** The shortest time between two attempts of one message, in milliseconds. */
const pauseMs = 5 * 60_000;

/**
 * Queues a message again, in any state; a pending message is tried at once. An automatic message goes to the person's
 * current address. Leaves an audit entry.
 *
 * @throws DomainError message_state if the message is no longer true; email_missing; rate_limited within five
 *   minutes of the last attempt
 */
export const resendMessage = command({
  name: "messages.resend",
  scope: "credentials:issue",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("msg") }),
  async run(ctx, input) {
    const before = await loadMessageForChange(ctx, input.id);
    const reason = outdatedMessage(before, ctx.now);
    if (reason)
      throw new DomainError(
        "message_state",
        reason.replace("so the message was not sent", "so the message is not sent again"),
      );
    const address = before.kind === "sent" ? before.address : null;
    if (!address && !before.email)
      throw new DomainError("email_missing", "The holder has no e-mail address. Add one to the person first.");
    const waitMs = before.updated_at.getTime() + pauseMs - ctx.now.getTime();
    if (before.state !== "cancelled" && waitMs > 0)
      throw rateLimited("This message was queued, sent or tried less than five minutes ago.", waitMs);
    await ctx.tx.sql(
      `UPDATE messages SET state = 'pending', error = NULL, attempts = 0, address = $3, next_attempt_at = $4, asked_at = $4, claim_id = NULL, lease_until = NULL, updated_at = $4
       WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, before.id, address, ctx.now],
    );
    await audit(ctx, "message.resent", targetOf(before), { messageId: publicId("msg", before.id) });
    ctx.tx.nudgeAfterCommit("mails");
    return messageView(
      { ...before, state: "pending", error: null, address, next_attempt_at: ctx.now, updated_at: ctx.now },
      ctx,
    );
  },
});
