import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import type { ConfirmationRow } from "@/server/credentials/confirmation";
import { issueOne } from "@/server/credentials/issue-set";
import { claimantOf } from "./claimant";
import { withoutDecided } from "./fields";
import type { PublicLink } from "./find-link";

/** The content of a claim. */
export interface ClaimContent {
  email: string;
  name: string;
  data: Record<string, unknown>;
}

/** A credential, or the request that the claimant confirms the name first. */
export type IssuedClaim = { subjectId: Id<"sub"> } & (
  | { credentialId: Id<"crd">; confirmation: null }
  | { credentialId: null; confirmation: ConfirmationRow }
);

/** SQL: the changes to a claim that was issued: its state, person, credential and request, from `$3` to `$5`. */
export const issuedClaim = `state = CASE WHEN $5::uuid IS NULL THEN 'issued' ELSE 'confirming' END, subject_id = $3, credential_id = $4, confirmation_id = $5`;

/**
 * Issues the credential of a claim, or asks the claimant to confirm the name first. The entered values become the credential's data, except where the person's record has
 * a value: the record takes precedence and is not changed. Emits the events of issuing, and subject.created for a new
 * person.
 *
 * @throws DomainError those of issueOrAsk, such as credential_exists and name_unconfirmed; subject_erased
 */
export async function issueClaim(
  ctx: TxCtx,
  link: Pick<PublicLink, "id" | "templateId" | "fields">,
  claim: ClaimContent,
): Promise<IssuedClaim> {
  const { id: subjectId, attributes } = await claimantOf(ctx, claim);
  const issued = await issueOne(
    ctx,
    {
      subject: { id: subjectId },
      templateId: link.templateId,
      data: withoutDecided(claim.data, link.fields, attributes),
    },
    { type: "api", id: publicId("clk", link.id) },
  );
  return "confirmation" in issued
    ? { subjectId, credentialId: null, confirmation: issued.confirmation }
    : { subjectId, credentialId: issued.row.id, confirmation: null };
}
