import { queueAccountMail, sendsMail } from "@/server/access/account-mail";
import type { TxCtx } from "@/server/core/context";
import { env } from "@/server/core/env";
import type { Id } from "@/server/core/ids";
import { formatCode } from "@/server/credentials/code";
import type { PublicLink } from "./find-link";
import { claimUrl } from "./view";

/**
 * Queues the mail that tells a claimant the decision, in the language of the page on which it was claimed, if an SMTP
 * server is configured. Sends no mail about an approval
 * if the template itself sends mails to holders.
 *
 * @param decision the credential of an approved claim, or the reason for a rejection
 */
export async function tellDecision(
  ctx: TxCtx,
  link: PublicLink,
  claim: { id: Id<"clm">; email: string; locale: string },
  decision: { credentialId: Id<"crd"> } | { reason: string },
): Promise<void> {
  if (!sendsMail()) return;
  let credentialUrl: string | null = null;
  if ("credentialId" in decision) {
    const [credential] = await ctx.tx.sql<{ code: string; isTold: boolean }>(
      `SELECT c.code, t.message_kinds @> '{issued}' AND lower(s.email) = $3 AS "isTold" FROM credentials c
       JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
       JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id
       WHERE c.org_id = $1 AND c.id = $2`,
      [ctx.orgId, decision.credentialId, claim.email],
    );
    if (!credential || credential.isTold) return;
    credentialUrl = `${env().PUBLIC_URL}/c/${formatCode(credential.code)}`;
  }
  const facts = {
    organisation: link.organisation,
    title: link.title,
    credentialUrl,
    claimUrl: claimUrl(link.code),
    homeUrl: `${env().PUBLIC_URL}/home`,
    reason: "reason" in decision ? decision.reason : null,
  };
  const about = { id: claim.id, url: JSON.stringify(facts) };
  await queueAccountMail(ctx.tx, ctx.now, "claim_decided", claim.email, about, claim.locale);
}
