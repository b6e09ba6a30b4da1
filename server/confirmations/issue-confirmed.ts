import type { Actor, TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { changeSet } from "@/server/credentials/change-set";
import { confirmationFactsOf, type ConfirmationRow } from "@/server/credentials/confirmation";
import { obstacleOf } from "@/server/credentials/confirmation-obstacle";
import { issueInput } from "@/server/credentials/input";
import { issueConfirmed as issue } from "@/server/credentials/issue-set";
import { resumption } from "@/server/credentials/resume";
import type { CredentialRow } from "@/server/credentials/view";
import { append } from "@/server/events/append";
import type { Scope } from "@/server/core/scopes";
import { isStillMeant } from "./still-meant";
import { loadConfirmation, requireWaiting } from "./load";

/**
 * The scopes with which a confirmation issues. They are fixed: the scopes of the requester were checked when the
 * request was made, and the request belongs to the organisation (docs/decisions/513).
 */
const scopes: ReadonlySet<Scope> = new Set<Scope>(["credentials:issue", "credentials:suspend", "credentials:revoke"]);

/**
 * Refuses a request that can never be issued, with a message that says what to do. A revocation after the holder was
 * asked also applies to the credential that was to replace the revoked one.
 *
 * @throws DomainError request_outdated
 */
function requireIssuable(row: ConfirmationRow, now: Date): void {
  const obstacle = obstacleOf(row, now);
  if (obstacle === "revoked")
    throw new DomainError(
      "request_outdated",
      `The person's credential of this template was revoked after the holder was asked: “${row.revoked_reason}”. Cancel this request, and issue anew if that is right.`,
    );
  if (obstacle === "expired")
    throw new DomainError(
      "request_outdated",
      `The credential would have expired at ${String(row.terms.expiresAt)}. Cancel this request, and issue anew with a later expiry.`,
    );
}

/**
 * Issues the credential of a locked request whose name is right. A claim that waits for the request becomes issued.
 * Emits the events of issuing and name_confirmation.confirmed.
 *
 * @param reason why somebody confirms on behalf of the holder; null if the holder did
 * @throws DomainError already_decided; name_requested if another name waits for a decision; name_missing;
 * request_outdated; those of issueOrAsk
 */
export async function issueConfirmed(
  ctx: TxCtx,
  row: ConfirmationRow,
  reason: string | null,
): Promise<{ credential: CredentialRow; confirmation: ConfirmationRow }> {
  requireWaiting(row);
  if (row.requested_name !== null)
    throw new DomainError(
      "name_requested",
      "The holder asked for another name. Decide on that first, under People, Names to correct.",
    );
  if (row.record_name === "")
    throw new DomainError("name_missing", "There is no name on record to confirm. Enter the person's name first.");
  requireIssuable(row, ctx.now);
  if (!(await isStillMeant(ctx, row)))
    throw new DomainError(
      "request_outdated",
      "The policy that asked does not mean this person any more. Cancel this request, or issue the credential yourself.",
    );
  const input = issueInput.parse({
    ...row.terms,
    subject: { id: publicId("sub", row.subject_id) },
    templateId: publicId("tpl", row.template_id),
  });
  const acting: TxCtx = { ...ctx, scopes };
  const { row: issued } = await issue(acting, input, { type: row.source_type, id: row.source_id });
  // A credential that a policy issues in place of a suspended one is resumed, as in the policy's own runs.
  if (row.source_type === "policy" && issued.state === "suspended")
    await changeSet(acting, resumption, [{ id: issued.id }]);
  const decidedBy: Actor = ctx.actor;
  ctx.tx.send(
    `UPDATE name_confirmations SET state = 'confirmed', credential_id = $3, reason = $4, decided_by = $5, decided_at = $6, updated_at = $6 WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, row.id, issued.id, reason, decidedBy, ctx.now],
  );
  ctx.tx.send(
    `UPDATE claims SET state = 'issued', credential_id = $3, decided_at = $4 WHERE org_id = $1 AND confirmation_id = $2 AND state = 'confirming'`,
    [ctx.orgId, row.id, issued.id, ctx.now],
  );
  const confirmation = await loadConfirmation(ctx, row.id);
  await append(ctx, {
    type: "name_confirmation.confirmed",
    resourceId: row.id,
    object: confirmationFactsOf(confirmation),
  });
  return { credential: issued, confirmation };
}
