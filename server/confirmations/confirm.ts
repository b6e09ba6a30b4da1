import { z } from "zod";
import { audit } from "@/server/access/audit";
import { publicId } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { confirmationView } from "@/server/credentials/confirmation";
import { issueConfirmed } from "./issue-confirmed";
import { loadForDecision } from "./load";

/**
 * Confirms a name on behalf of the holder, for example after they confirmed it at the counter, and issues the
 * credential. Emits the events of issuing and name_confirmation.confirmed. Leaves an audit entry with the reason.
 *
 * @throws DomainError already_decided; name_requested if the holder asked for another name; request_outdated; those of
 * issueOrAsk
 */
export const confirmName = command({
  name: "name_confirmations.confirm",
  scope: "credentials:issue",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("ncf"),
    reason: line(500)
      .min(1, "must not be empty")
      .meta({ description: "How you know that the name is right, such as: Showed a passport." }),
  }),
  async run(ctx, input) {
    const { confirmation } = await issueConfirmed(ctx, await loadForDecision(ctx, input.id), input.reason);
    await audit(
      ctx,
      "name_confirmation.confirmed",
      { type: "name_confirmation", id: publicId("ncf", confirmation.id) },
      { credentialId: publicId("crd", confirmation.credential_id), reason: input.reason },
    );
    return confirmationView(confirmation, ctx);
  },
});
