import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { confirmationView } from "@/server/credentials/confirmation";
import { loadConfirmation, loadForDecision, requireWaiting } from "./load";

/**
 * Cancels a request to confirm a name: nothing is issued. The holder who opens the link reads the reason. Cancelling
 * twice keeps the first reason. Emits name_confirmation.cancelled. Leaves an audit entry.
 *
 * @throws DomainError already_decided if it was confirmed
 */
export const cancelConfirmation = command({
  name: "name_confirmations.cancel",
  scope: "credentials:issue",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("ncf"),
    reason: line(500).min(1, "must not be empty").meta({ description: "The reason, which is shown to the holder." }),
  }),
  async run(ctx, input) {
    const row = await loadForDecision(ctx, input.id);
    if (row.state === "cancelled") return confirmationView(row, ctx);
    requireWaiting(row);
    await cancelConfirmations(ctx, [row.id], input.reason);
    await audit(ctx, "name_confirmation.cancelled", { type: "name_confirmation", id: publicId("ncf", row.id) });
    return confirmationView(await loadConfirmation(ctx, row.id), ctx);
  },
});
