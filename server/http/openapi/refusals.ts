import { errorTable, type ErrorCode } from "@/server/core/errors";

const issuing: ErrorCode[] = [
  "subject_erased",
  "subject_inactive",
  "template_archived",
  "achievement_not_published",
  "validity_unresolved",
  "credential_exists",
  "name_unconfirmed",
  "conflict",
];

const running: ErrorCode[] = ["policy_paused", "plan_changed", "template_not_published", "template_archived"];

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
  claimLinksDelete: ["conflict"],
  connectorsPreview: ["not_found", "conflict", "invalid_cursor"],
  connectorsRunsApprove: ["run_state", "count_mismatch"],
  connectorsRunsCancel: ["run_state"],
  connectorsRunsUndo: ["conflict", "run_state"],
  achievementsVersionsDeleteImage: ["version_not_draft"],
  achievementsVersionsSetImage: ["version_not_draft"],
  connectorsSftpGet: ["conflict"],
  connectorsSftpPasswordCreate: ["conflict"],
  connectorsSftpPasswordDelete: ["conflict"],
  connectorsStagedApprove: ["conflict", "count_mismatch"],
  connectorsStagedDiscard: ["conflict", "count_mismatch"],
  connectorsSync: ["connector_paused", "conflict"],
  connectorsTest: ["not_found"],
  connectorsTokensCreate: ["conflict", "too_many_secrets"],
  connectorsTokensDelete: ["conflict"],
  connectorsUpload: ["connector_paused", "conflict"],
  credentialsBadgePng: ["conflict", "gone"],
  credentialsBadgeSvg: ["conflict", "gone"],
  credentialsCertificate: ["conflict", "gone"],
  credentialsChannelsCreate: [
    "credential_state",
    "conflict",
    "subject_erased",
    "unavailable",
    "wallet_not_configured",
    "wallet_not_offered",
  ],
  credentialsDocument: ["conflict", "gone"],
  credentialsIssue: [...issuing, "template_not_published", "not_found"],
  credentialsReissue: [...issuing, "credential_state", "name_changed"],
  credentialsResume: ["credential_state"],
  credentialsSend: ["credential_state", "conflict", "subject_erased"],
  credentialsSuspend: ["credential_state"],
  credentialsUpdate: ["credential_state", "subject_erased"],
  credentialsVerify: ["not_found"],
  groupsCreate: ["external_id_taken"],
  groupsDelete: ["group_in_use", "group_provided"],
  groupsMembersAdd: ["group_not_static", "group_provided"],
  groupsMembersRemove: ["group_not_static", "group_provided"],
  groupsUpdate: ["external_id_taken", "group_not_static", "group_provided"],
  issuersRemoveDomain: ["not_found"],
  issuersSetDomain: ["conflict"],
  issuersVerifyDomain: ["not_found", "conflict"],
  issuersRevokeKey: ["conflict"],
  issuersRotateKey: ["conflict"],
  messagesText: ["gone"],
  messagesCancel: ["conflict"],
  messagesResend: ["conflict"],
  nameConfirmationsCancel: ["conflict"],
  nameConfirmationsConfirm: [...issuing, "credential_state", "template_not_published", "not_found"],
  nameConfirmationsResend: ["conflict"],
  nameRequestsApprove: [...issuing, "credential_state", "template_not_published"],
  nameRequestsReject: ["conflict"],
  photosImport: ["conflict"],
  photosImportsCancel: ["job_finished"],
  policiesApply: [...running, "run_state"],
  policiesCreate: ["template_not_published", "template_archived"],
  policiesExceptionsPut: ["subject_erased"],
  policiesRunsApprove: [...running, "run_state"],
  policiesRunsDiscard: ["run_state"],
  policiesUpdate: ["template_not_published", "template_archived"],
  publicApplePass: ["credential_state", "wallet_not_configured", "wallet_not_offered"],
  publicBadgePng: ["gone"],
  publicBadgeSvg: ["gone"],
  publicCertificate: ["gone"],
  publicCredentialDocument: ["gone"],
  subjectsDelete: ["subject_erased", "subject_has_credentials"],
  subjectsPhotoApprove: ["precondition_failed", "subject_erased"],
  subjectsPhotoDelete: ["subject_erased"],
  subjectsPhotoReject: ["precondition_failed", "subject_erased"],
  subjectsPhotoSet: ["subject_erased"],
  subjectsUpdate: ["external_id_taken", "subject_erased"],
  subjectsUpsert: ["external_id_taken", "subject_erased"],
  templatesCreate: ["slug_taken", "validity_unresolved", "achievement_not_published", "not_found"],
  templatesDelete: ["template_in_use"],
  templatesRevokeCredentials: ["count_mismatch"],
  templatesUpdate: ["slug_taken", "template_in_use"],
  templatesVersionsApply: ["version_state", "count_mismatch"],
  templatesVersionsArchive: ["version_state"],
  templatesVersionsCreate: ["precondition_failed", "validity_unresolved", "achievement_not_published"],
  templatesVersionsPublish: ["version_state", "validity_unresolved", "achievement_not_published"],
  templatesVersionsUnarchive: ["version_state"],
  templatesVersionsUpdate: ["version_not_draft"],
  publicGooglePass: ["credential_state", "unavailable", "wallet_not_configured", "wallet_not_offered"],
  walletsAppleSet: ["conflict"],
  walletsGoogleSet: ["conflict", "unavailable"],
  webhookDeliveriesResend: ["delivery_state", "endpoint_state", "gone"],
  webhookEndpointsCreate: ["conflict"],
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
    ...(takesKey ? (["invalid_idempotency_key", "idempotency_in_progress", "idempotency_key_reused"] as const) : []),
    ...(takesIfMatch ? (["precondition_failed"] as const) : []),
    ...(namesResource ? (["not_found"] as const) : []),
    ...(own[operationId] ?? []),
  ];
  // In the order of the table, without repetition.
  return (Object.keys(errorTable) as ErrorCode[]).filter((code) => codes.includes(code));
}

/** The operationIds in the table above, for its test. */
export const refusing = Object.keys(own);
