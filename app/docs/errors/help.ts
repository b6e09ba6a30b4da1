import type { ErrorCode } from "@/server/core/errors";

interface Help {
  /** When the error occurs. */
  cause: string;
  /** What to do. */
  remedy: string;
}

/** The cause of each error code, and the remedy. */
export const help: Record<ErrorCode, Help> = {
  malformed_json: {
    cause:
      "The body is not one JSON object in UTF-8: it has a syntax error, or is nested deeper than 64 levels. An empty body counts as {}.",
    remedy: "Write the body with a JSON library.",
  },
  malformed_request: {
    cause:
      "The address holds a percent escape that cannot be decoded, a NUL character or half of a surrogate pair; or the request is not valid HTTP.",
    remedy: "Percent-encode what you put into a path or query, for example with encodeURIComponent.",
  },
  invalid_request: {
    cause:
      "A field or parameter is missing, unknown, sent twice, or has a value that is not allowed, such as a number that cannot be stored exactly.",
    remedy:
      "Read errors: each entry has a JSON pointer to the field and says what to send. Send numbers beyond ±(2⁵³ − 1) as strings.",
  },
  invalid_cursor: {
    cause: "The cursor belongs to another list, to other filters or to another sort.",
    remedy: "Start again without a cursor, and keep the filters while you follow nextCursor.",
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
      "Request a new access token. For an API key, check in the console whether it was revoked, and create another one.",
  },
  insufficient_scope: {
    cause: "The token is valid but lacks the scope that the operation needs. The answer names it.",
    remedy: "Use a key that has the scope, or create one. Scopes of an existing key do not change.",
  },
  organisation_suspended: {
    cause: "The operator of this service has suspended your organisation.",
    remedy: "Ask the operator. Credentials can still be verified.",
  },
  not_found: {
    cause:
      "The token’s organisation has no such resource, or the address does not exist. A resource of another organisation gets the same answer.",
    remedy: "Check the id, and that the key belongs to the right organisation. GET /v1/me names the organisation.",
  },
  method_not_allowed: {
    cause: "The address exists but does not accept this method.",
    remedy: "Use one of those in the Allow header.",
  },
  conflict: {
    cause: "Another request was changing the same resource at this moment.",
    remedy: "Send the request again.",
  },
  limit_reached: {
    cause:
      "The organisation has as many of these as it may, such as webhook endpoints, connectors, open invitations or files that wait. detail says how many that is.",
    remedy: "Delete, withdraw or finish one first.",
  },
  already_decided: {
    cause: "A claim or a request about a name was approved, rejected, confirmed or cancelled before your request.",
    remedy: "Read it again: its state says how it was decided.",
  },
  wrong_kind: {
    cause:
      "Only academic credentials have a document, a badge and a certificate; and they keep the template version that they were issued from.",
    remedy: "Read kind of the credential or template first.",
  },
  subject_has_credentials: {
    cause: "The person holds or once held a credential, so the record has to stay.",
    remedy: "Set status to inactive instead of deleting.",
  },
  subject_inactive: {
    cause: "The person’s status is inactive, and an inactive person gets no credentials.",
    remedy: "Set status to active with PUT or PATCH /v1/subjects first.",
  },
  subject_erased: {
    cause: "The person asked to be erased. Nothing about them is written any more, and they cannot be added again.",
    remedy: "Remove the person from your feed. An erasure cannot be undone.",
  },
  external_id_taken: {
    cause:
      "Another person of your organisation has this externalId (for a group: another group). The answer names it as subjectId or groupId.",
    remedy: "Change the externalId of the other person or group, or choose another one.",
  },
  group_in_use: {
    cause: "A policy, or the rule of another group, names this group and needs it.",
    remedy: "Change or delete what the answer names, then delete this group.",
  },
  group_provided: {
    cause: "A directory pushes this group over SCIM, and would overwrite a change made here.",
    remedy: "Change it in the directory, or create a static group of your own.",
  },
  group_not_static: {
    cause: "Only its rule decides the members of a rule group, and a static group has no rule.",
    remedy: "For a rule group, change the rule, or add people to a static group that the rule names.",
  },
  slug_taken: {
    cause: "Another template of your organisation has this slug.",
    remedy: "Choose another slug, or leave it out: the service then derives one from the name.",
  },
  achievement_not_published: {
    cause: "The template's credentials state an achievement that has no current version.",
    remedy: "Publish or unarchive a version of the achievement that detail names, then repeat the request.",
  },
  achievement_in_use: {
    cause: "A version of the achievement was published, or a template names it.",
    remedy: "Archive its versions instead of deleting it, or choose another achievement in the template's draft.",
  },
  template_not_published: {
    cause: "Nothing can be issued from a template that has only drafts.",
    remedy: "Publish a version of it, then issue.",
  },
  template_in_use: {
    cause: "A version of the template was published, so credentials may refer to it.",
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
      "Send ifExists: return to get that one, or replace to supersede it. If the credential can be earned more than once, create a repeatable template.",
  },
  name_unconfirmed: {
    cause:
      "The template asks holders to confirm their names, and the person was asked already. The answer names the request as nameConfirmationId.",
    remedy:
      "Wait for the holder, or confirm for them. Send ifExists: return to get the request, or replace to change it.",
  },
  credential_state: {
    cause: "The credential’s state does not allow the action; for example, a revoked one cannot be resumed.",
    remedy: "Read state in the answer. A credential that has ended can be reissued.",
  },
  name_changed: {
    cause:
      "The person’s name has changed since the credential was issued, and a public link would lead from one name to the other.",
    remedy: "Reissue with linkPublicly: false.",
  },
  wallet_not_configured: {
    cause:
      "The organisation has not entered its Apple certificate or Google key for passes, or the certificate has expired.",
    remedy: "Ask an admin to enter it in the console, under Settings, Wallets.",
  },
  wallet_not_offered: {
    cause: "The template’s design does not let holders add the credential to this wallet.",
    remedy: "Publish a version of the template that offers the wallet, and issue with it.",
  },
  validity_unresolved: {
    cause:
      "The template reads the expiry from an attribute, and the person does not have it, or it holds no date. The answer names it as attribute.",
    remedy: "Add the attribute to the person, or send expiresAt.",
  },
  expiry_out_of_range: {
    cause: "By the validity of the template, the credential would have expired already or would outlast the year 9998.",
    remedy:
      "Correct the validity or the attribute that it reads, or send expiresAt. For a template, choose a later date before you publish it.",
  },
  data_outdated: {
    cause:
      "The results or credits in the data of the credential do not fit the current version of its achievement. The answer names the credential as credentialId, and each value in errors.",
    remedy: "Reissue the credential with data that fits.",
  },
  email_missing: {
    cause: "The message has no recipient, because the person has no e-mail address.",
    remedy: "Add an address to the person, or send another one as to.",
  },
  mail_not_configured: {
    cause: "The operator of this service has configured no mail server.",
    remedy: "Ask the operator to set SMTP_URL.",
  },
  message_state: {
    cause:
      "The message was sent, is being sent at this moment, or is no longer true because its credential has changed.",
    remedy: "Read the message again: state and error say what became of it.",
  },
  claims_waiting: {
    cause: "People have claimed a credential with this link, and nobody has decided on their claims.",
    remedy:
      "Approve or reject the claims, then delete the link. To stop new claims, set expiresAt to the current time.",
  },
  name_requested: {
    cause: "The holder was asked to confirm a name, and asked for another one.",
    remedy: "Decide on that name first: POST /v1/name_requests/{id}/approve or reject.",
  },
  name_missing: {
    cause: "The person’s displayName is empty, so there is no name to confirm.",
    remedy: "Enter the name with PUT or PATCH /v1/subjects.",
  },
  request_outdated: {
    cause:
      "What would be issued once the name is confirmed is not wanted any more: the earlier credential was revoked, the expiry has passed, or the policy that asked no longer matches the person.",
    remedy: "Cancel the request, and issue anew if that is right.",
  },
  passes_issued: {
    cause:
      "Phones hold passes of the present pass type or issuer, and the new certificate or key belongs to another one, so they could not be updated any more.",
    remedy: "Remove the wallet settings first, and accept that those passes stay as they are.",
  },
  count_mismatch: {
    cause: "The number of credentials is not the expectedCount that you sent: it has changed since you read it.",
    remedy: "Read the number again, check that they are the right credentials, and send the new number.",
  },
  endpoint_state: { cause: "The webhook endpoint is paused, disabled or deleted.", remedy: "Enable it first." },
  delivery_state: {
    cause: "The delivery was cancelled, or is being sent at this moment.",
    remedy: "Look at its attempts, and wait until the current one has ended.",
  },
  job_finished: {
    cause: "The job had finished before the request arrived.",
    remedy: "Nothing is left to cancel. Its rows say what was done.",
  },
  job_stopped: {
    cause: "In a row of a job: the job was cancelled, or its key was revoked, before this row was processed.",
    remedy: "Send the rows that were not done in a new job.",
  },
  connector_paused: {
    cause: "A file was uploaded to a connector that is paused.",
    remedy: "Set the connector's status to active, then upload the file again.",
  },
  connector_type: {
    cause:
      "The connector is of a type that cannot do this: one of type scim takes no files, one of type csv fetches nothing, and only one of type scim has tokens.",
    remedy: "Read type of the connector, and create another connector for this.",
  },
  run_state: {
    cause:
      "A run was approved or discarded although it does not wait for approval, or cancelled although it has ended; or it waited for more than 24 hours.",
    remedy: "Read the run again: its status says how it ended.",
  },
  run_in_progress: {
    cause:
      "The policy was applied, or one of its runs approved, while another of its runs is in progress; or a run of a connector was approved while a newer file is applied.",
    remedy: "Wait until that run has ended, or pause the policy.",
  },
  key_too_new: {
    cause:
      "The signing key was replaced less than a minute ago, and not every verifier knows the key that would be next.",
    remedy: "Wait for the seconds in Retry-After. Revoke a key that somebody copied: that takes effect at once.",
  },
  domain_exists: {
    cause: "The organisation signs under another domain.",
    remedy: "Remove that domain first. What was signed under it stays valid while it points to this service.",
  },
  domain_taken: {
    cause: "Another organisation of this service signs under the domain.",
    remedy: "Choose another domain, or have that organisation remove it.",
  },
  policy_paused: {
    cause: "The policy is paused, so it cannot be applied and its runs cannot be approved.",
    remedy: "Resume the policy, then apply it or approve the run.",
  },
  plan_changed: {
    cause:
      "The policy would now end credentials that are not in the plan of the planHash, because people or the policy have changed; or it would end fewer than a plan of more than 500.",
    remedy:
      "Read the preview again and send its planHash; for a halted run, apply the policy again and approve that run.",
  },
  too_many_secrets: {
    cause: "An OAuth client has at most two secrets, and a connector of type scim at most two tokens.",
    remedy: "Retire or delete the old one, then add another.",
  },
  client_revoked: {
    cause: "The OAuth client was revoked, so it gets no new secret.",
    remedy: "Create another client.",
  },
  last_owner: {
    cause: "The change would leave the organisation without an owner.",
    remedy: "Make someone else an owner first.",
  },
  email_taken: {
    cause: "In the console: there is an account with this e-mail address.",
    remedy: "Sign in with that account, or use another address.",
  },
  email_unverified: {
    cause: "In the console: the e-mail address of your account is not verified, so nothing is sent to it.",
    remedy: "Verify it under Settings, Your account.",
  },
  already_member: {
    cause: "In the console: a member of the organisation was invited or added again.",
    remedy: "Change the role of the member instead.",
  },
  person_required: {
    cause: "A test message goes to the person who is signed in, and a key is no person.",
    remedy: "Send it from the console.",
  },
  password_missing: {
    cause: "In the console: the account signs in only by single sign-on, which cannot be disconnected.",
    remedy: "Choose a password first, with “Forgot your password?” on the sign-in page.",
  },
  organisation_switched: {
    cause: "In the console: another window of this browser went to another organisation.",
    remedy: "Reload the page.",
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
    cause: "In the console: the code or passkey is wrong.",
    remedy: "Check the clock of the device that shows the codes, or use a recovery code.",
  },
  second_factor_required: {
    cause: "In the console: the account or the organisation requires a second factor.",
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
    remedy: "Use the public address of the service. A proxy has to forward only the path.",
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
    cause: "The request line and header fields together exceed 16 KiB.",
    remedy: "Send less: split a filter with many ids into several requests.",
  },
  cross_origin: {
    cause: "A change in the console came from a page of another site.",
    remedy: "Open the console at its own address. Programs use the API with a key.",
  },
  holder_erased: {
    cause: "The holder asked for erasure, so files and messages with their data are no longer given out.",
    remedy: "Nothing can be restored. The credential itself still tells its state.",
  },
  event_expired: {
    cause: "The event is older than the time for which contents are kept, which the operator decides.",
    remedy: "Read the current state of the resource instead.",
  },
  answer_lost: {
    cause:
      "The request with this Idempotency-Key was carried out, and its stored answer was lost with the service’s master secret.",
    remedy: "Read what the request made or changed. Do not send it again with another key.",
  },
  precondition_failed: {
    cause:
      "The resource has changed since you read the ETag in If-Match or the version in basedOn; or it exists already, and If-None-Match: * asks to create only.",
    remedy: "Read it again, apply your change to the current version, and send the new ETag.",
  },
  payload_too_large: {
    cause:
      "The body is larger than the operation accepts (1 MiB, or more for bulk operations), or holds too many JSON values.",
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
    cause: "The token or address sent more requests in a minute than it may, or too many at once.",
    remedy: "Wait for the seconds in Retry-After. A bulk operation replaces thousands of requests.",
  },
  internal_error: {
    cause: "A fault of the service. It was logged under requestId.",
    remedy:
      "Send the request again, with the same Idempotency-Key. If the error persists, tell the operator the requestId.",
  },
  file_missing: {
    cause:
      "The record names a picture that is not in the file store, for example because only the database was restored from a backup.",
    remedy: "Tell the operator, or set the picture again.",
  },
  unavailable: {
    cause: "The database cannot be reached, or the service is stopping.",
    remedy: "Wait for the seconds in Retry-After and send the request again, with the same Idempotency-Key.",
  },
};
