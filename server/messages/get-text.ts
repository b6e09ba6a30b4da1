import { z } from "zod";
import { reading } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { textKindOf } from "@/server/message-texts/kinds";
import { factsOfConfirmation, factsOfCredential } from "./facts";
import { messageLetter } from "./letter";
import { loadMessage } from "./load";

export const messageTextSchema = z
  .object({
    object: z.literal("message_text"),
    subject: z.string(),
    text: z.string().meta({
      description:
        "The plain text of the message. Links that only the holder may use are left out for callers without the scope credentials:issue.",
    }),
    isSent: z.boolean().meta({
      description:
        "Whether the message was sent already. Texts are not stored: this one is made of the record and the texts of the template as they are now, so the one that was sent may have read otherwise.",
    }),
  })
  .meta({ id: "MessageText" });

/** Replaces a link that the reader may not use in a text. */
const keptBack = "(the holder’s own link)";

/**
 * Returns the present subject and text of a message to a holder.
 *
 * @throws DomainError `not_found`; `holder_erased` after the person was erased
 */
export const getMessageText = query({
  name: "messages.text",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("msg") }),
  async run(ctx, input): Promise<z.output<typeof messageTextSchema>> {
    const { sql } = reading(ctx);
    const row = await loadMessage(ctx, input.id);
    const facts = row.confirmation_id
      ? await factsOfConfirmation(sql, ctx.orgId, row.confirmation_id)
      : await factsOfCredential(sql, ctx.orgId, row.credential_id!);
    if (!facts)
      throw new DomainError("holder_erased", "The person was erased, and the text of this message with them.");
    const shown = "link" in facts && !ctx.scopes.has("credentials:issue") ? { ...facts, link: keptBack } : facts;
    const { subject, text } = messageLetter(shown, textKindOf(row.kind), ctx.now);
    return { object: "message_text", subject, text, isSent: row.state === "sent" || row.state === "bounced" };
  },
});
