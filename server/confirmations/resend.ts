import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { confirmationView } from "@/server/credentials/confirmation";
import { askAgain } from "./ask-again";
import { loadConfirmation, loadForDecision, requireWaiting } from "./load";

/** The shortest time between two links of one request, in milliseconds. */
const pauseMs = 5 * 60_000;

/**
 * Creates a new link to confirm a name, valid for 30 days, and mails it to the holder's present address; the earlier
 * link stops working. Emits name_confirmation.requested. Leaves an audit entry.
 *
 * @throws DomainError already_decided; email_missing if the present link still works; rate_limited within five minutes
 * of the last link
 */
export const resendConfirmation = command({
  name: "name_confirmations.resend",
  scope: "credentials:issue",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("ncf") }),
  async run(ctx, input) {
    const row = await loadForDecision(ctx, input.id);
    requireWaiting(row);
    if (row.email === null && row.link_expires_at > ctx.now)
      throw new DomainError(
        "email_missing",
        "The holder has no e-mail address. Add one to the person, or pass the link on yourself: it still works.",
      );
    const waitMs = row.updated_at.getTime() + pauseMs - ctx.now.getTime();
    if (row.mail_state !== null && waitMs > 0) throw rateLimited("A link was made less than five minutes ago.", waitMs);
    await askAgain(ctx, [row.id]);
    await audit(ctx, "name_confirmation.resent", { type: "name_confirmation", id: publicId("ncf", row.id) });
    return confirmationView(await loadConfirmation(ctx, row.id), ctx);
  },
});
