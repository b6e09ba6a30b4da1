import { entityTag } from "@/server/core/entity-tag";
import { command } from "@/server/core/operation";
import { confirmationView, type ConfirmationView } from "./confirmation";
import { sourceOf } from "./draft";
import { issueInput } from "./input";
import { issueOne } from "./issue-set";
import { credentialTag, credentialView, type CredentialView } from "./view";

type IssueAnswer = { created: boolean } & (
  | { credential: CredentialView; nameConfirmation?: undefined }
  | { credential?: undefined; nameConfirmation: ConfirmationView }
);

/**
 * Issues a credential to a subject (contract section 7). Emits credential.created, and credential.issued once it is
 * valid; with `replace`, credential.revoked for the previous credential; the subject's own events if the request also
 * upserts the subject. If the template asks holders to confirm their names, nothing is issued: a request to confirm is
 * created, with name_confirmation.requested (docs/decisions/513).
 */
export const issueOrAsk = command({
  name: "credentials.issue",
  scope: "credentials:issue",
  input: issueInput,
  async run(ctx, input): Promise<IssueAnswer> {
    const issued = await issueOne(ctx, input, sourceOf(ctx));
    return "confirmation" in issued
      ? { nameConfirmation: confirmationView(issued.confirmation, ctx), created: issued.created }
      : { credential: credentialView(issued.row, ctx.now), created: issued.created };
  },
  tag: (issued) =>
    issued.credential ? credentialTag(issued.credential) : entityTag(issued.nameConfirmation, ["updatedAt"]),
});
