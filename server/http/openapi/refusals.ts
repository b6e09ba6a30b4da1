import { errorTable, type ErrorCode } from "@/server/core/errors";

const issuing: ErrorCode[] = [
  "subject_erased",
  "subject_inactive",
  "template_archived",
  "achievement_not_published",
  "validity_unresolved",
  "expiry_out_of_range",
  "credential_exists",
  "name_unconfirmed",
  "conflict",
];

const running: ErrorCode[] = [
  "run_in_progress",
  "policy_paused",
  "plan_changed",
  "template_not_published",
  "template_archived",
];

/**
 * Refusals of single operations, by operationId, in addition to those of every operation of its kind. The fuzz
 * (server/testing/fuzz) fails if a response has a code that is not described.
 */
const own: Record<string, ErrorCode[]> = {
  achievementsDelete: ["achievement_in_use"],
  achievementsVersionsArchive: ["version_state"],
  achievementsVersionsCreate: ["precondition_failed"],
  achievementsVersionsPublish: ["version_state"],
  achievementsVersionsUnarchive: ["version_state"],
  achievementsVersionsUpdate: ["version_not_draft"],
  bulkCancel: ["job_finished"],
  claimLinksCreate: ["not_found", "template_not_published", "template_archived"],
  claimLinksDelete: ["claims_waiting"],
  connectorsCreate: ["limit_reached"],
  connectorsPreview: ["not_found", "connector_type", "invalid_cursor"],
  connectorsRunsApprove: ["run_state", "count_mismatch", "run_in_progress"],
  connectorsRunsCancel: ["run_state"],
  connectorsRunsUndo: ["limit_reached", "run_state"],
  achievementsVersionsDeleteImage: ["version_not_draft"],
  achievementsVersionsImage: ["file_missing"],
  achievementsVersionsSetImage: ["version_not_draft"],
  connectorsSftpGet: ["connector_type"],
  connectorsSftpPasswordCreate: ["connector_type"],
  connectorsSftpPasswordDelete: ["connector_type"],
  connectorsStagedApprove: ["connector_type", "count_mismatch"],
  connectorsStagedDiscard: ["connector_type", "count_mismatch"],
  connectorsSync: ["connector_paused", "connector_type", "limit_reached"],
  connectorsTest: ["not_found"],
  connectorsTokensCreate: ["connector_type", "too_many_secrets"],
  connectorsTokensDelete: ["connector_type"],
  connectorsUpload: ["connector_paused", "connector_type", "limit_reached"],
  credentialsBadgePng: ["wrong_kind", "holder_erased", "file_missing"],
  credentialsBadgeSvg: ["wrong_kind", "holder_erased", "file_missing"],
  credentialsCertificate: ["wrong_kind", "holder_erased"],
  credentialsChannelsCreate: [
    "credential_state",
    "email_missing",
    "limit_reached",
    "subject_erased",
    "unavailable",
    "wallet_not_configured",
    "wallet_not_offered",
  ],
  credentialsDocument: ["wrong_kind", "holder_erased"],
  credentialsIssue: [...issuing, "template_not_published", "not_found"],
  credentialsReissue: [...issuing, "credential_state", "name_changed", "data_outdated"],
  credentialsResume: ["credential_state"],
  credentialsSend: ["credential_state", "email_missing", "limit_reached", "subject_erased"],
  credentialsSuspend: ["credential_state"],
  credentialsUpdate: ["credential_state", "subject_erased"],
  credentialsVerify: ["not_found"],
  groupsCreate: ["external_id_taken", "limit_reached"],
  groupsDelete: ["group_in_use", "group_provided"],
  groupsMembersAdd: ["group_not_static", "group_provided"],
  groupsMembersRemove: ["group_not_static", "group_provided"],
  groupsUpdate: ["external_id_taken", "group_not_static", "group_provided"],
  issuersRemoveDomain: ["not_found"],
  issuersSetDomain: ["domain_exists"],
  issuersVerifyDomain: ["not_found", "conflict", "domain_taken"],
  issuersRevokeKey: ["limit_reached"],
  issuersRotateKey: ["limit_reached", "key_too_new"],
  messagesText: ["holder_erased"],
  messagesCancel: ["message_state"],
  messagesResend: ["message_state", "email_missing"],
  nameConfirmationsCancel: ["already_decided"],
  nameConfirmationsConfirm: [
    ...issuing,
    "credential_state",
    "template_not_published",
    "not_found",
    "already_decided",
    "name_requested",
    "name_missing",
    "request_outdated",
  ],
  nameConfirmationsResend: ["already_decided", "email_missing"],
  nameRequestsApprove: [
    ...issuing,
    "credential_state",
    "template_not_published",
    "already_decided",
    "name_missing",
    "request_outdated",
    "data_outdated",
  ],
  nameRequestsReject: ["already_decided"],
  photosImport: ["limit_reached"],
  photosImportsCancel: ["job_finished"],
  policiesApply: running,
  policiesCreate: ["template_not_published", "template_archived"],
  policiesExceptionsPut: ["subject_erased"],
  policiesRunsApprove: [...running, "run_state"],
  policiesRunsDiscard: ["run_state"],
  policiesUpdate: ["template_not_published", "template_archived"],
  publicAchievementImage: ["file_missing"],
  publicApplePass: ["credential_state", "file_missing", "wallet_not_configured", "wallet_not_offered"],
  publicBadgePng: ["holder_erased", "file_missing"],
  publicBadgeSvg: ["holder_erased", "file_missing"],
  publicCertificate: ["holder_erased"],
  publicPhoto: ["file_missing"],
  publicCredentialDocument: ["holder_erased"],
  subjectsDelete: ["subject_erased", "subject_has_credentials"],
  subjectsPhoto: ["file_missing"],
  subjectsPhotoApprove: ["precondition_failed", "subject_erased"],
  subjectsPhotoDelete: ["subject_erased"],
  subjectsPhotoReject: ["precondition_failed", "subject_erased"],
  subjectsPhotoSet: ["subject_erased"],
  subjectsUpdate: ["external_id_taken", "subject_erased"],
  subjectsUpsert: ["external_id_taken", "subject_erased"],
  templatesCreate: ["slug_taken", "expiry_out_of_range", "achievement_not_published", "not_found"],
  templatesDelete: ["template_in_use"],
  templatesRevokeCredentials: ["count_mismatch"],
  templatesUpdate: ["slug_taken", "template_in_use"],
  templatesVersionsApply: ["version_state", "wrong_kind", "count_mismatch"],
  templatesVersionsArchive: ["version_state"],
  templatesVersionsCreate: ["precondition_failed", "expiry_out_of_range", "achievement_not_published"],
  templatesVersionsPublish: ["version_state", "expiry_out_of_range", "achievement_not_published"],
  templatesVersionsUnarchive: ["version_state"],
  templatesVersionsUpdate: ["version_not_draft"],
  publicGooglePass: ["credential_state", "unavailable", "wallet_not_configured", "wallet_not_offered"],
  walletsAppleSet: ["passes_issued"],
  walletsGoogleSet: ["passes_issued", "unavailable"],
  webhookDeliveriesResend: ["delivery_state", "endpoint_state", "event_expired"],
  webhookEndpointsCreate: ["limit_reached"],
  webhookEndpointsPause: ["endpoint_state"],
  webhookEndpointsRecover: ["endpoint_state"],
  webhookEndpointsReplayMissing: ["endpoint_state"],
  webhookEndpointsTest: ["endpoint_state"],
};

/**
 * Refusals of the server before it looks at the operation (server/http/web/front-door.ts, unreadable.ts): a request
 * that does not arrive in time, an Expect header, another host in the request line, headers and query of more than 16
 * KiB.
 */
export const httpRefusals: ErrorCode[] = [
  "request_timeout",
  "expectation_failed",
  "misdirected_request",
  "header_fields_too_large",
];

interface Traits {
  operationId: string;
  /** Needs no token. */
  isPublic?: boolean;
  /** Any token may call it, so none lacks a scope. */
  takesAnyScope?: boolean;
  isList?: boolean;
  takesBody: boolean;
  takesFile?: boolean;
  takesKey?: boolean;
  takesIfMatch?: boolean;
  namesResource: boolean;
}

/** Returns every code with which an operation can refuse. */
export function refusalsOf({
  operationId,
  isPublic = false,
  takesAnyScope = false,
  isList = false,
  takesBody,
  takesFile = false,
  takesKey = false,
  takesIfMatch = false,
  namesResource,
}: Traits): ErrorCode[] {
  const codes: ErrorCode[] = [
    "malformed_request",
    "invalid_request",
    "rate_limited",
    "internal_error",
    "unavailable",
    ...httpRefusals,
    ...(isPublic ? [] : (["unauthenticated", "invalid_token", "organisation_suspended"] as const)),
    ...(isPublic || takesAnyScope ? [] : (["insufficient_scope"] as const)),
    ...(isList ? (["invalid_cursor"] as const) : []),
    ...(takesBody ? (["malformed_json", "payload_too_large", "unsupported_media_type"] as const) : []),
    ...(takesFile ? (["payload_too_large", "unsupported_media_type"] as const) : []),
    ...(takesKey
      ? (["invalid_idempotency_key", "idempotency_in_progress", "idempotency_key_reused", "answer_lost"] as const)
      : []),
    ...(takesIfMatch ? (["precondition_failed"] as const) : []),
    ...(namesResource ? (["not_found"] as const) : []),
    ...(own[operationId] ?? []),
  ];
  // In the order of the table, without repetition.
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.includes(code));
}

/** The operationIds in the table above, for its test. */
export const refusing = Object.keys(own);
