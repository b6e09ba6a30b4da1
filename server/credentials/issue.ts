import type { TxCtx } from "@/server/core/context";
import { command } from "@/server/core/operation";
import { draft, sourceOf, type Source } from "./draft";
import { issueInput, type IssueInput } from "./input";
import { place } from "./place";
import { prepare } from "./prepare";
import { credentialView, type CredentialView } from "./view";

/**
 * Issues a credential to a subject (contract section 7). Emits credential.created, and credential.issued once it is valid;
 * with `replace`, credential.revoked of the one before; the subject's own events where it is upserted in passing.
 */
export const issueCredential = command({
  name: "credentials.issue",
  scope: "credentials:issue",
  input: issueInput,
  run: (ctx, input) => issue(ctx, input, sourceOf(ctx)),
});

/** The issue itself, for operations that issue on behalf of something: a bulk job, a policy. */
export async function issue(ctx: TxCtx, input: IssueInput, source: Source): Promise<{ credential: CredentialView; created: boolean }> {
  const ground = await prepare(ctx, input.subject, input.templateId);
  const { row, created } = await place(ctx, draft(ctx, ground, input, source), input.ifExists);
  return { credential: credentialView(row, ctx.now), created };
}
