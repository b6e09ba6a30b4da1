import type { IssueCode } from "./issue-codes";

/** The closed table of errors: code → HTTP status, tRPC code and title (contract section 1). */
export const errorTable = {
  malformed_json: [400, "BAD_REQUEST", "The body is not a JSON object that can be read"],
  malformed_request: [400, "BAD_REQUEST", "The request is malformed"],
  invalid_request: [400, "BAD_REQUEST", "The request is not valid"],
  invalid_cursor: [400, "BAD_REQUEST", "The cursor is not valid"],
  invalid_idempotency_key: [400, "BAD_REQUEST", "The Idempotency-Key is not valid"],
  unauthenticated: [401, "UNAUTHORIZED", "Authentication is required"],
  invalid_token: [401, "UNAUTHORIZED", "The token is not valid"],
  insufficient_scope: [403, "FORBIDDEN", "The token lacks a scope"],
  organisation_suspended: [403, "FORBIDDEN", "The organisation is suspended"],
  not_found: [404, "NOT_FOUND", "Not found"],
  method_not_allowed: [405, "METHOD_NOT_SUPPORTED", "The method is not allowed here"],
  conflict: [409, "CONFLICT", "Another request was in the way"],
  limit_reached: [409, "CONFLICT", "There are as many as allowed"],
  already_decided: [409, "CONFLICT", "It was decided already"],
  wrong_kind: [409, "CONFLICT", "The kind of the credential does not allow this"],
  subject_has_credentials: [409, "CONFLICT", "The subject holds or held credentials"],
  subject_inactive: [409, "CONFLICT", "The subject is inactive"],
  subject_erased: [409, "CONFLICT", "The person was erased"],
  external_id_taken: [409, "CONFLICT", "The external id is taken"],
  group_in_use: [409, "CONFLICT", "A rule names the group"],
  group_provided: [409, "CONFLICT", "A directory provides the group"],
  group_not_static: [409, "CONFLICT", "The kind of the group does not allow this"],
  slug_taken: [409, "CONFLICT", "The slug is taken"],
  template_not_published: [409, "CONFLICT", "The template has no published version"],
  template_in_use: [409, "CONFLICT", "The template was published or used"],
  template_archived: [409, "CONFLICT", "The template is archived"],
  achievement_not_published: [409, "CONFLICT", "The achievement has no current version"],
  achievement_in_use: [409, "CONFLICT", "The achievement was published or is used"],
  version_not_draft: [409, "CONFLICT", "A published version cannot change"],
  version_state: [409, "CONFLICT", "The version's state does not allow this"],
  credential_exists: [409, "CONFLICT", "The subject already holds such a credential"],
  name_unconfirmed: [409, "CONFLICT", "The holder was asked already to confirm the name"],
  credential_state: [409, "CONFLICT", "The credential's state does not allow this"],
  name_changed: [409, "CONFLICT", "The holder's name has changed"],
  wallet_not_configured: [409, "CONFLICT", "The wallet is not set up"],
  wallet_not_offered: [409, "CONFLICT", "The template does not offer this wallet"],
  passes_issued: [409, "CONFLICT", "Passes on phones depend on the present settings"],
  validity_unresolved: [409, "CONFLICT", "The template's validity gives no expiry"],
  expiry_out_of_range: [409, "CONFLICT", "The expiry has passed or is too far ahead"],
  data_outdated: [409, "CONFLICT", "The data no longer fits the achievement"],
  email_missing: [409, "CONFLICT", "The person has no e-mail address"],
  mail_not_configured: [409, "CONFLICT", "This service sends no e-mail"],
  message_state: [409, "CONFLICT", "The message's state does not allow this"],
  claims_waiting: [409, "CONFLICT", "Claims wait for a decision"],
  name_requested: [409, "CONFLICT", "The holder asked for another name"],
  name_missing: [409, "CONFLICT", "There is no name on record"],
  request_outdated: [409, "CONFLICT", "The request to confirm a name is outdated"],
  count_mismatch: [409, "CONFLICT", "The count is not the one expected"],
  endpoint_state: [409, "CONFLICT", "The endpoint's state does not allow this"],
  delivery_state: [409, "CONFLICT", "The delivery's state does not allow this"],
  job_finished: [409, "CONFLICT", "The job has finished"],
  job_stopped: [409, "CONFLICT", "The job was stopped"],
  connector_paused: [409, "CONFLICT", "The connector is paused"],
  connector_type: [409, "CONFLICT", "The type of the connector does not allow this"],
  policy_paused: [409, "CONFLICT", "The policy is paused"],
  plan_changed: [409, "CONFLICT", "The plan has changed"],
  run_state: [409, "CONFLICT", "The run's status does not allow this"],
  run_in_progress: [409, "CONFLICT", "Another run is in progress"],
  key_too_new: [409, "CONFLICT", "The key was replaced a moment ago"],
  domain_exists: [409, "CONFLICT", "The organisation has a domain already"],
  domain_taken: [409, "CONFLICT", "Another organisation signs under the domain"],
  too_many_secrets: [409, "CONFLICT", "Two secrets or tokens work already"],
  client_revoked: [409, "CONFLICT", "The OAuth client is revoked"],
  last_owner: [409, "CONFLICT", "An organisation keeps at least one owner"],
  email_taken: [409, "CONFLICT", "The e-mail address is taken"],
  email_unverified: [409, "CONFLICT", "The e-mail address is not verified"],
  already_member: [409, "CONFLICT", "The person is a member already"],
  person_required: [409, "CONFLICT", "Only a person can do this"],
  password_missing: [409, "CONFLICT", "The account has no password"],
  organisation_switched: [409, "CONFLICT", "You work in another organisation by now"],
  idempotency_in_progress: [409, "CONFLICT", "A request with this Idempotency-Key is still running"],
  invalid_credentials: [401, "UNAUTHORIZED", "The e-mail address or the password is wrong"],
  invalid_second_factor: [403, "FORBIDDEN", "The second factor is wrong"],
  second_factor_required: [403, "FORBIDDEN", "A second factor is required"],
  second_factor_state: [409, "CONFLICT", "The account's second factors do not allow this"],
  sign_in_expired: [410, "NOT_FOUND", "The sign-in has expired"],
  link_unusable: [410, "NOT_FOUND", "The link cannot be used"],
  misdirected_request: [421, "BAD_REQUEST", "This server does not serve that host"],
  request_timeout: [408, "TIMEOUT", "The request took too long to arrive"],
  expectation_failed: [417, "BAD_REQUEST", "The expectation cannot be met"],
  header_fields_too_large: [431, "BAD_REQUEST", "The header fields are too large"],
  cross_origin: [403, "FORBIDDEN", "The request comes from another site"],
  holder_erased: [410, "NOT_FOUND", "The holder was erased"],
  event_expired: [410, "NOT_FOUND", "The content of the event is no longer kept"],
  answer_lost: [410, "NOT_FOUND", "The stored answer was lost"],
  precondition_failed: [412, "PRECONDITION_FAILED", "It is not as expected"],
  payload_too_large: [413, "PAYLOAD_TOO_LARGE", "The body is too large"],
  unsupported_media_type: [415, "UNSUPPORTED_MEDIA_TYPE", "The content type is not supported"],
  idempotency_key_reused: [422, "UNPROCESSABLE_CONTENT", "The Idempotency-Key was used for another request"],
  rate_limited: [429, "TOO_MANY_REQUESTS", "Too many requests"],
  internal_error: [500, "INTERNAL_SERVER_ERROR", "Something went wrong on our side"],
  file_missing: [503, "SERVICE_UNAVAILABLE", "The file is missing from the file store"],
  unavailable: [503, "SERVICE_UNAVAILABLE", "Not available at the moment"],
} as const;

export type ErrorCode = keyof typeof errorTable;

/** One error of an input. `pointer` is a JSON pointer (RFC 6901) into it. */
export interface InputIssue {
  pointer: string;
  code: IssueCode;
  message: string;
}

interface Extras {
  errors?: InputIssue[];
  headers?: Record<string, string>;
  /**
   * Further members of the problem document, e.g. the id of the credential that exists already. Names of standard
   * members are not allowed.
   */
  members?: ExtensionMembers;
}

/** The members that every problem document has (RFC 9457 section 3.1, and ours). */
export type StandardMember = "type" | "title" | "status" | "detail" | "instance" | "code" | "requestId" | "errors";

/** Extension members (RFC 9457 section 3.2). A name of a standard member does not compile. */
export type ExtensionMembers = Record<string, Told> & { [Name in StandardMember]?: never };

/** Values that can be sent to callers: anything but ids in the server's internal form. */
export type Told =
  | string
  | number
  | boolean
  | null
  | undefined
  | Record<string, unknown>
  | readonly (string | number | Record<string, unknown>)[];

/** The only error that the domain throws on purpose. `detail` tells the caller what is wrong and what to do. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  constructor(
    readonly code: ErrorCode,
    detail: string,
    readonly extras: Extras = {},
  ) {
    super(detail);
  }
  get status(): number {
    return errorTable[this.code][0];
  }
  get title(): string {
    return errorTable[this.code][2];
  }
}

/** Returns the DomainError that `check` throws; undefined if it throws none. Rethrows any other error. */
export function refusalOf(check: () => void): DomainError | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  return undefined;
}

export function notFound(what: string, id: string): DomainError {
  return new DomainError("not_found", `There is no ${what} ${JSON.stringify(id)} in this organisation.`);
}
