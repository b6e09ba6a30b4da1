import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { claimColumns, decidedClaims, type ClaimRow } from "./claim-view";
import { findClaimant } from "./claimant";
import { findLink, type PublicLink } from "./find-link";
import { findHeld } from "./held";
import { issueClaim, issuedClaim } from "./issue-claim";
import { tellDecision } from "./tell-decision";

/**
 * Approves waiting claims, issues their credentials and mails the claimants. If one claim fails, the others are still
 * approved. Emits the events of issuing. Leaves an audit entry for each claim.
 */
export const approveClaims = command({
  name: "claims.approve",
  scope: "credentials:issue",
  alsoScope: "subjects:write",
  input: z.strictObject({ ids: z.array(id("clm")).min(1, "must name a claim").max(100) }),
  async run(ctx, { ids }) {
    const rows = [];
    for (const each of ids) {
      try {
        const credentialId = await ctx.tx.savepoint(() => approve(ctx, each));
        rows.push({ id: publicId("clm", each), credentialId: publicId("crd", credentialId), error: null });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rows.push({
          id: publicId("clm", each),
          credentialId: null,
          error: { code: error.code, message: error.message },
        });
      }
    }
    return decidedClaims(rows);
  },
});

/**
 * Locks the person before the claim, the order in which an erasure locks them, to avoid deadlocks. So the claim is not
 * locked while it is issued; the final UPDATE fails if somebody decided it in between.
 */
async function approve(ctx: TxCtx, claimId: Id<"clm">): Promise<Id<"crd"> | null> {
  const [claim] = await ctx.tx.sql<ClaimRow & { locale: string; code: string }>(
    `SELECT ${claimColumns
      .split(", ")
      .map((name) => `c.${name}`)
      .join(", ")}, c.locale, l.code FROM claims c
     JOIN claim_links l ON l.org_id = c.org_id AND l.id = c.claim_link_id
     WHERE c.org_id = $1 AND c.id = $2`,
    [ctx.orgId, claimId],
  );
  if (!claim) throw notFound("claim", publicId("clm", claimId));
  if (claim.state !== "waiting") throw alreadyDecided(claim.state);
  const link = (await findLink(claim.code, ctx.now, ctx.tx.sql))!;
  const { subjectId, credentialId, confirmation } = await issueApproved(ctx, link, claim);
  const [decided] = await ctx.tx.sql(
    `UPDATE claims SET ${issuedClaim}, decided_by = $6, decided_at = $7
     WHERE org_id = $1 AND id = $2 AND state = 'waiting' RETURNING 1`,
    [ctx.orgId, claimId, subjectId, credentialId, confirmation?.id ?? null, ctx.actor, ctx.now],
  );
  if (!decided) throw alreadyDecided("decided");
  // A claimant who has to confirm the name gets the e-mail with that link instead.
  if (credentialId) await tellDecision(ctx, link, claim, { credentialId });
  await audit(
    ctx,
    "claim.approved",
    { type: "claim", id: publicId("clm", claimId) },
    {
      claimLinkId: publicId("clk", claim.claim_link_id),
      ...(confirmation
        ? { nameConfirmationId: publicId("ncf", confirmation.id) }
        : { credentialId: publicId("crd", credentialId) }),
    },
  );
  return credentialId;
}

/** Issues an approved claim. @throws DomainError in words for the registrar who approves */
async function issueApproved(ctx: TxCtx, link: PublicLink, claim: ClaimRow) {
  const who = claim.display_name || claim.email;
  try {
    return await issueClaim(ctx, link, { email: claim.email, name: claim.display_name, data: claim.data });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === "credential_exists") {
      // Another approval of the same claim may have issued it just now.
      const [now] = await ctx.tx.sql<{ state: string }>(`SELECT state FROM claims WHERE org_id = $1 AND id = $2`, [
        ctx.orgId,
        claim.id,
      ]);
      if (now && now.state !== "waiting") throw alreadyDecided(now.state);
      const claimant = await findClaimant(ctx.tx.sql, ctx.orgId, claim.email);
      const held = claimant && (await findHeld(ctx.tx.sql, link, claimant.id, ctx.now));
      const isSuspended = held?.state === "suspended";
      throw reworded(
        error,
        `${claimant?.name || who} holds “${link.title}” already${isSuspended ? ", and it is suspended" : ""}. ${isSuspended ? "Resume it instead, or reject the claim." : "Reject the claim."}`,
      );
    }
    if (error.code === "name_unconfirmed")
      throw reworded(
        error,
        `${who} was asked already to confirm the name for “${link.title}”, and gets it then. Reject the claim, or wait.`,
      );
    if (error.code === "validity_unresolved" || error.code === "expiry_out_of_range")
      throw reworded(
        error,
        `“${link.title}” takes its last day from each person's record, and the record of ${who} has none that is still ahead. Add ${who} under People with a date in the field that the template names, or choose another validity for the template. Then approve again.`,
      );
    throw error;
  }
}

const reworded = ({ code, extras }: DomainError, message: string) => new DomainError(code, message, extras);

/** @param state the claim's state; "decided" if it is not known */
export const alreadyDecided = (state: string): DomainError =>
  new DomainError(
    "already_decided",
    state === "confirming"
      ? "The claim was approved already, and its holder has to confirm the name first. Load the list again."
      : `The claim was ${state} already. Load the list again.`,
  );
