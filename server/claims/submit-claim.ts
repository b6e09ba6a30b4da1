import { z } from "zod";
import { findProof } from "@/server/access/address-proof";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { notFound } from "@/server/core/errors";
import { newId, publicId, uuidOf } from "@/server/core/ids";
import { languages } from "@/server/core/languages";
import { visitorCommand } from "@/server/core/operation";
import { claimVisitorScopes, visitorIn } from "./claim-visitor";
import { findClaimant } from "./claimant";
import { isDecided } from "./fields";
import { findLink, type PublicLink } from "./find-link";
import { findHeld } from "./held";
import { issueClaim, issuedClaim } from "./issue-claim";
import { readEntries, type EntryErrors } from "./read-entries";

export type Submitted =
  /** The address has a claim: this one, or an earlier one that stays as it is. The page shows its state. */
  | { outcome: "claimed" }
  /** The person already has the credential: nothing is stored, and no place is taken. */
  | { outcome: "held" }
  | { outcome: "errors"; errors: EntryErrors }
  /** The visitor must prove the address again, or the link accepts no claims. */
  | { outcome: "start_again" };

/**
 * Submits a claim: takes a place, stores the entered values, and issues the credential unless the link requires approval.
 * The link's row counts the places, so concurrent claims never exceed them. Emits the events of issuing. Leaves an audit
 * entry.
 *
 * @throws DomainError those of issueOrAsk; then nothing is stored and the place stays free
 */
export const submitClaim = visitorCommand({
  name: "claims.submit",
  input: z.strictObject({
    code: z.string().max(64),
    token: z.string().max(200),
    entered: z.record(z.string().max(20), z.string().max(2000)),
    /** The page's language, in which the visitor writes numbers and is told the decision; the organisation's own by default. */
    language: z.enum(languages).optional(),
  }),
  async run(visitor, tx, { code, token, entered, language }): Promise<Submitted> {
    const link = await findLink(code, visitor.now, tx.sql, language);
    if (!link) throw notFound("claim link", code);
    // Locked, so that a second submission of the same form waits for the first.
    const proof = await findProof(tx.sql, token, visitor.now, "claim", "FOR UPDATE");
    if (!proof?.provedAt || !proof.claimLinkId || uuidOf(proof.claimLinkId) !== uuidOf(link.id))
      return { outcome: "start_again" };
    const { email } = proof;
    const ctx = visitorIn(visitor, tx, link.orgId, claimVisitorScopes);
    const claimant = await findClaimant(tx.sql, link.orgId, email);
    if (claimant && (await findHeld(tx.sql, link, claimant.id, visitor.now))) return { outcome: "held" };
    const asked = link.fields.filter((field) => !claimant || !isDecided(field, claimant.attributes));
    const read = readEntries(asked, entered, claimant === null, link.region);
    if ("errors" in read) return { outcome: "errors", errors: read.errors };
    return claim(ctx, link, { email, data: read.data, name: claimant ? claimant.name : read.name });
  },
});

async function claim(
  ctx: TxCtx,
  link: PublicLink,
  { email, name, data }: { email: string; name: string; data: Record<string, unknown> },
): Promise<Submitted> {
  const id = newId("clm");
  const [stored] = await ctx.tx.sql(
    `INSERT INTO claims (org_id, id, claim_link_id, email, display_name, data, locale, state, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'waiting', $8)
     ON CONFLICT (org_id, claim_link_id, email) DO NOTHING RETURNING 1`,
    [ctx.orgId, id, link.id, email, name, JSON.stringify(data), link.region.locale, ctx.now],
  );
  if (!stored) return { outcome: "claimed" };
  const [place] = await ctx.tx.sql<{ approval: boolean }>(takePlace, [ctx.orgId, link.id, ctx.now]);
  if (link.state === "ended" || !place) {
    await ctx.tx.sql(`DELETE FROM claims WHERE org_id = $1 AND id = $2`, [ctx.orgId, id]);
    return { outcome: "start_again" };
  }
  const target = { type: "claim", id: publicId("clm", id) };
  const detail = { claimLinkId: publicId("clk", link.id) };
  if (place.approval) {
    await audit(ctx, "claim.submitted", target, detail);
    return { outcome: "claimed" };
  }
  const { subjectId, credentialId, confirmation } = await issueClaim(ctx, link, { email, name, data });
  await ctx.tx.sql(`UPDATE claims SET ${issuedClaim}, decided_at = $6 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    id,
    subjectId,
    credentialId,
    confirmation?.id ?? null,
    ctx.now,
  ]);
  await audit(ctx, confirmation ? "claim.submitted" : "claim.issued", target, {
    ...detail,
    ...(confirmation
      ? { nameConfirmationId: publicId("ncf", confirmation.id) }
      : { credentialId: publicId("crd", credentialId) }),
  });
  return { outcome: "claimed" };
}

/** Takes a place if one is left. The row lock makes concurrent claims run one after another. */
const takePlace = `
UPDATE claim_links SET claimed = claimed + 1
WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > $3) AND (max_claims IS NULL OR claimed < max_claims)
RETURNING approval`;
