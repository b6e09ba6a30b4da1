import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { issueOne } from "@/server/credentials/issue-set";
import { claimantOf } from "./claimant";

/** What a claim asks for. */
export interface ClaimContent {
  claimLinkId: Id<"clk">;
  templateId: Id<"tpl">;
  isRepeatable: boolean;
  email: string;
  name: string;
  data: Record<string, unknown>;
}

/**
 * Issues what a claim asks for. Somebody who holds a live credential of the template keeps it. What was entered goes
 * into the credential's data; the person's record stays as it is. Emits what issuing emits, and subject.created for
 * somebody new.
 *
 * @throws DomainError as issueCredential, and subject_erased
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
