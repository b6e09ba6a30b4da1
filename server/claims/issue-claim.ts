import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
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

/**
 * Issues the credential of a claim. The entered values become the credential's data, except where the person's record has
 * a value: the record takes precedence and is not changed. Emits the events of issuing, and subject.created for a new
 * person.
 *
 * @throws DomainError those of issueCredential, such as credential_exists; subject_erased
 */
export async function issueClaim(
  ctx: TxCtx,
  link: Pick<PublicLink, "id" | "templateId" | "fields">,
  claim: ClaimContent,
): Promise<{ subjectId: Id<"sub">; credentialId: Id<"crd"> }> {
  const { id: subjectId, attributes } = await claimantOf(ctx, claim);
  const { row } = await issueOne(
    ctx,
    {
      subject: { id: subjectId },
      templateId: link.templateId,
      data: withoutDecided(claim.data, link.fields, attributes),
    },
    { type: "api", id: publicId("clk", link.id) },
  );
  return { subjectId, credentialId: row.id };
}
