import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { issueOne } from "@/server/credentials/issue-set";
import { claimantOf } from "./claimant";

/** The content of a claim. */
export interface ClaimContent {
  claimLinkId: Id<"clk">;
  templateId: Id<"tpl">;
  isRepeatable: boolean;
  email: string;
  name: string;
  data: Record<string, unknown>;
}

/**
 * Issues the credential of a claim. A person who holds a live credential of the template keeps it and gets no second one.
 * The entered values become the credential's data; the person's record is not changed. Emits the events of issuing, and
 * subject.created for a new person.
 *
 * @throws DomainError those of issueCredential; subject_erased
 */
export async function issueClaim(
  ctx: TxCtx,
  claim: ClaimContent,
): Promise<{ subjectId: Id<"sub">; credentialId: Id<"crd"> }> {
  const subjectId = await claimantOf(ctx, claim);
  const { row } = await issueOne(
    ctx,
    {
      subject: { id: subjectId },
      templateId: claim.templateId,
      data: claim.data,
      ...(!claim.isRepeatable && { ifExists: "return" as const }),
    },
    { type: "api", id: publicId("clk", claim.claimLinkId) },
  );
  return { subjectId, credentialId: row.id };
}
