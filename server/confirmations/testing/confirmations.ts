import { someAddress } from "@/server/claims/testing/claims";
import type { Ctx } from "@/server/core/context";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { issueOrAsk } from "@/server/credentials/issue-or-ask";
import { publishedTemplate } from "@/server/testing/credentials";
import { sql } from "@/server/testing/sql";

/** A published template whose holders confirm their names. */
export const askingTemplate = (ctx: Ctx, more: Parameters<typeof publishedTemplate>[1] = {}) =>
  publishedTemplate(ctx, { ...more, confirmName: true });

/** Asks a new person to confirm the name, dated an hour ago, so that a new link may be sent. */
export async function nameConfirmation(ctx: Ctx): Promise<ConfirmationView> {
  const { id: templateId } = await askingTemplate(ctx);
  const email = someAddress();
  const { nameConfirmation: asked } = await issueOrAsk(ctx, {
    subject: { externalId: `asked-${email}`, displayName: "Ada Lovelace", email },
    templateId,
  });
  await sql(`UPDATE name_confirmations SET updated_at = updated_at - interval '1 hour' WHERE token = $1`, [
    asked!.link!.split("/").at(-1),
  ]);
  return asked!;
}
