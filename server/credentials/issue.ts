import { command } from "@/server/core/operation";
import { sourceOf } from "./draft";
import { issueInput } from "./input";
import { issueOne } from "./issue-set";
import { credentialTag, credentialView } from "./view";

/**
 * Issues a credential to a subject (contract section 7). Emits credential.created, and credential.issued once it is
 * valid; with `replace`, credential.revoked for the previous credential; the subject's own events if the request also
 * upserts the subject.
 */
export const issueCredential = command({
  name: "credentials.issue",
  scope: "credentials:issue",
  input: issueInput,
  async run(ctx, input) {
    const { row, created } = await issueOne(ctx, input, sourceOf(ctx));
    return { credential: credentialView(row, ctx.now), created };
  },
  tag: ({ credential }) => credentialTag(credential),
});
