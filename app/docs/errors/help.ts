import type { ErrorCode } from "@/server/core/errors";

interface Help {
  /** When this happens. */
  cause: string;
  /** What to do. */
  remedy: string;
}

/** Why each code is answered, and what to do about it. */
export const help: Record<ErrorCode, Help> = {
  malformed_json: {
    cause:
      "The body is not one JSON object in UTF-8: it has a syntax error, or is nested deeper than 64 levels. A body of no bytes counts as {}.",
    remedy: "Write the body with a JSON library.",
  },
  malformed_request: {
    cause:
      "The address holds a percent escape that cannot be decoded, a NUL character or half of a surrogate pair; or the request is not valid HTTP.",
    remedy: "Percent-encode what you put into a path or query, for example with encodeURIComponent.",
  },
  invalid_request: {
    cause:
      "A field or parameter is missing, unknown, stands twice, or has a value that is not taken, such as a number that cannot be held exactly.",
    remedy:
      "Read errors: each entry has a JSON pointer to the field and says what to send. Send numbers beyond ±(2⁵³ − 1) as strings.",
  },
  invalid_cursor: {
    cause: "The cursor was given for another list, or for other filters or another sort.",
    remedy: "Begin again without a cursor, and keep the filters while you follow nextCursor.",
  },
  invalid_idempotency_key: {
    cause: "The Idempotency-Key is empty, longer than 255 characters, or not printable ASCII.",
    remedy: "Send a UUID, or an id of your own.",
  },
  unauthenticated: {
    cause: "The request has no Authorization header.",
    remedy: "Send Authorization: Bearer followed by an API key or access token.",
  },
  invalid_token: {
    cause: "The token is unknown, mistyped, revoked or expired.",
    remedy:
      "Ask for a new access token. For an API key, look in the console whether it was revoked, and create another one.",
  },
  insufficient_scope: {
    cause: "The token is valid and lacks the scope that the operation needs. The answer names it.",
    remedy: "Use a key that has the scope, or create one. Scopes of an existing key do not change.",
  },
  organisation_suspended: {
    cause: "The operator of this service has suspended your organisation.",
    remedy: "Ask the operator. Credentials can still be verified.",
  },
  not_found: {
    cause:
      "No such thing is in the token’s organisation, or the address does not exist. Things of other organisations are answered in the same way.",
    remedy: "Check the id, and that the key belongs to the right organisation. GET /v1/me says which it is.",
  },
  method_not_allowed: {
    cause: "The address exists and does not take this method.",
    remedy: "Use one of those in the Allow header.",
  },
  conflict: {
    cause:
      "Another request was changing the same thing at this moment, or a limit of the organisation is reached, such as its number of webhook endpoints.",
    remedy: "Read detail. Where it speaks of another request, send yours again.",
  },
  subject_has_credentials: {
    cause: "The person holds or once held a credential, so that the record has to keep naming them.",
    remedy: "Set status to inactive instead of deleting.",
  },
  subject_inactive: {
    cause: "The person’s status is inactive, and an inactive person gets no credentials.",
    remedy: "Set status to active with PUT or PATCH /v1/subjects first.",
  },
  subject_erased: {
    cause: "The person asked to be erased. Nothing about them is written any more, and they cannot be added again.",
    remedy: "Take them out of your feed. It cannot be undone.",
  },
  external_id_taken: {
    cause:
      "Another person, or for a group another group, of your organisation has this externalId. The answer names the person as subjectId.",
    remedy: "Change the one that has it, or choose another externalId.",
  },
  group_in_use: {
    cause: "A policy or the rule of another group names this one, and would lose its meaning without it.",
    remedy: "Change or delete what the answer names, then delete this one.",
  },
  group_provided: {
    cause: "A directory pushes this group over SCIM, and would write over what is changed here.",
    remedy: "Change it in the directory, or make a static group of your own.",
  },
  group_not_static: {
    cause: "Members of a rule group follow from its rule alone, and a static group has no rule.",
    remedy: "For a rule group, change the rule, or add people to a static group that the rule names.",
  },
  slug_taken: {
    cause: "Another template of your organisation has this slug.",
    remedy: "Choose another, or leave it out: one is made from the name.",
  },
  achievement_not_published: {
    cause: "The template's credentials state an achievement of which no version is current.",
    remedy: "Publish or unarchive a version of the achievement that detail names, then repeat the request.",
  },
  achievement_in_use: {
    cause: "A version of the achievement was published, or a template names it.",
    remedy: "Archive its versions instead of deleting it, or choose another achievement in the template's draft.",
  },
  template_not_published: {
    cause: "Nothing can be issued from a template that has drafts alone.",
    remedy: "Publish a version of it, then issue.",
  },
  template_in_use: {
    cause: "A version of the template was published, so that credentials may refer to it.",
    remedy: "Archive its versions instead of deleting it.",
  },
  template_archived: {
    cause: "All published versions of the template are archived.",
    remedy: "Unarchive one, or publish a new one.",
  },
  version_not_draft: {
    cause: "Published and archived versions never change, because credentials were issued from them.",
    remedy: "Create a new version, change that one and publish it.",
  },
  version_state: {
    cause: "The version’s state does not allow the action; for example, a draft cannot be archived.",
    remedy: "Read the version’s status first.",
  },
  credential_exists: {
    cause: "The person holds a live credential of this template. The answer names it as credentialId.",
    remedy:
      "Send ifExists: return to get that one, or replace to supersede it. For what can be earned twice, make a repeatable template.",
  },
  credential_state: {
    cause: "The credential’s state does not allow the action; for example, a revoked one cannot be resumed.",
    remedy: "Read state in the answer. What has ended can be reissued.",
  },
  name_changed: {
    cause:
      "The person’s name has changed since the credential was issued, and a public link would lead from one name to the other.",
    remedy: "Reissue with linkPublicly: false.",
  },
  wallet_not_configured: {
    cause:
      "The organisation has not entered what Apple or Google gave it to make passes, or its certificate has expired.",
    remedy: "An admin opens Settings, Wallets in the console and enters it.",
  },
  wallet_not_offered: {
    cause: "The template’s design does not let holders add the credential to this wallet.",
    remedy: "Publish a version of the template that offers the wallet, and issue with it.",
  },
  validity_unresolved: {
    cause:
      "The template takes the expiry from something that the person does not have, or the expiry would lie in the past.",
    remedy:
      "Add the attribute that detail names, or send expiresAt; for a template, choose a later date before you publish it.",
  },
  count_mismatch: {
    cause: "The number of credentials is not the expectedCount that you sent: it has changed since you looked.",
    remedy: "Look again at how many there are, and whether they are the right ones, and send that number.",
  },
  endpoint_state: { cause: "The webhook endpoint is paused, disabled or deleted.", remedy: "Enable it first." },
  delivery_state: {
    cause: "The delivery was cancelled, or is being sent at this moment.",
    remedy: "Look at its attempts, and wait until the one under way has ended.",
  },
  job_finished: {
    cause: "The job had finished before the request came.",
    remedy: "Nothing is left to cancel. Its rows say what was done.",
  },
  job_stopped: {
    cause: "In a row of a job: the job was cancelled, or its key was revoked, before this row’s turn.",
    remedy: "Send the rows that were not done in a new job.",
  },
  connector_paused: {
    cause: "A file was uploaded to a connector that is paused.",
    remedy: "Set the connector's status to active, then upload the file again.",
  },
  run_state: {
    cause:
      "A run was approved or discarded that waits for nobody, or cancelled that has ended; or a policy was applied while a run of it is under way.",
    remedy: "Read the run again: its status says what became of it.",
  },
  policy_paused: {
    cause: "A policy that is paused was applied, or a run of it approved.",
    remedy: "Resume the policy, then apply it.",
  },
  plan_changed: {
    cause:
      "The policy would end credentials that the plan of the planHash does not, since people or the policy were changed.",
    remedy:
      "Read the preview again and send its planHash; for a halted run, apply the policy again and approve that run.",
  },
  too_many_secrets: {
    cause: "An OAuth client holds at most two secrets.",
    remedy: "Retire the old one, then add another.",
  },
  last_owner: {
    cause: "The change would leave the organisation without an owner.",
    remedy: "Make someone else an owner first.",
  },
  email_taken: {
    cause: "Somebody with this e-mail address is a member or has an account already.",
    remedy: "Sign in with that account, or use another address.",
  },
  idempotency_in_progress: {
    cause: "An earlier request with the same Idempotency-Key is still running.",
    remedy: "Wait for the seconds in Retry-After and send the same request again.",
  },
  invalid_credentials: {
    cause: "In the console: the e-mail address or the password is wrong.",
    remedy: "Try again, or reset the password.",
  },
  invalid_second_factor: {
    cause: "In the console: the code or passkey does not fit.",
    remedy: "Check the clock of the device that makes codes, or use a recovery code.",
  },
  second_factor_required: {
    cause: "In the console: the account or the organisation asks for a second factor.",
    remedy: "Set one up, or sign in with the one you have.",
  },
  second_factor_state: {
    cause:
      "In the console: the account’s second factors do not allow this, such as removing the last one where the organisation requires one.",
    remedy: "Set up another one first.",
  },
  sign_in_expired: {
    cause: "In the console: the sign-in was begun too long ago, or in another browser.",
    remedy: "Sign in again.",
  },
  link_unusable: {
    cause: "In the console: the link was used before, has expired, or was replaced by a newer one.",
    remedy: "Ask for a new one.",
  },
  misdirected_request: {
    cause: "The request line names a host that this server does not serve.",
    remedy: "Use the address under which the service is known. A proxy passes the path alone.",
  },
  request_timeout: {
    cause: "The request did not arrive in time.",
    remedy: "Send it again, faster or in smaller parts.",
  },
  expectation_failed: {
    cause: "The Expect header asks for something other than 100-continue.",
    remedy: "Leave the header out.",
  },
  header_fields_too_large: {
    cause: "The request line and header fields together are over 16 KiB.",
    remedy: "Send less: filters with many ids can be split into several requests.",
  },
  cross_origin: {
    cause: "A change in the console came from a page of another site.",
    remedy: "Open the console at its own address. Programs use the API with a key.",
  },
  gone: {
    cause: "What the request is about is no longer kept, such as the content of an old event.",
    remedy: "Read the present state instead. How long events are kept, the operator decides.",
  },
  precondition_failed: {
    cause: "The thing has changed since the ETag that you sent in If-Match.",
    remedy: "Read it again, repeat your change on what it is now, and send the new ETag.",
  },
  payload_too_large: {
    cause:
      "The body is larger than the operation takes (1 MiB, or more for bulk operations), or holds too many JSON values.",
    remedy: "Send fewer rows at a time.",
  },
  unsupported_media_type: {
    cause: "The body is not sent as application/json, or it is compressed.",
    remedy: "Send Content-Type: application/json, and no Content-Encoding.",
  },
  idempotency_key_reused: {
    cause: "The Idempotency-Key was used in the last 24 hours for a request with another method, path or body.",
    remedy: "Use a new key for a new request. To repeat a request, send the same body.",
  },
  rate_limited: {
    cause: "More requests came in a minute than the token or address may send, or too many at once.",
    remedy: "Wait for the seconds in Retry-After. Bulk operations do with one request what would take thousands.",
  },
  internal_error: {
    cause: "A fault of ours. It was logged under requestId.",
    remedy: "Send the request again, with the same Idempotency-Key. Tell the operator the requestId if it stays.",
  },
  unavailable: {
    cause: "The database cannot be reached, or the service is stopping.",
    remedy: "Wait for the seconds in Retry-After and send the request again, with the same Idempotency-Key.",
  },
};
