import { errorTable, type ErrorCode } from "@/server/core/errors";

const at = "2026-09-01T09:00:00.000Z";
const subjectId = "sub_01k4b2hz3ge5d8s7a6p4c2b1n0";
const templateId = "tpl_01k4azx0m1h2j3k4n5p6q7r8s9";
const versionId = "tpv_01k4azy5c6d7e8f9g0h1j2k3m4";
const credentialId = "crd_01k4b2m8v0f8n9t6q3r5w7x1yz";
const endpointId = "whe_01k4ay1z2x3c4v5b6n7m8k9j0h";
const eventId = "evt_01k4b2m8w1d2f3g4h5j6k7m8n9";
const deliveryId = "dlv_01k4b2m8x2e3f4g5h6j7k8m9n0";
const actor = { type: "api_key", id: "key_01k4awz8x7c6v5b4n3m2k1j0hg" };
const code = "7Q4M-X2KD-93TH-ZP6V";
const requestId = "req_01k4b2m8y3f4g5h6j7k8m9n0p1";
const changed = { createdAt: at, updatedAt: at };

const subject = {
  id: subjectId,
  object: "subject",
  externalId: "s-1001",
  displayName: "Ada Lovelace",
  email: "ada@example.edu",
  status: "active",
  photoUpdatedAt: null,
  photoStatus: null,
  photoReason: null,
  photoSetBy: null,
  erasedAt: null,
  attributes: { programme: "Mathematics" },
  ...changed,
};

const credential = {
  id: credentialId,
  object: "credential",
  code,
  subjectId,
  templateId,
  templateVersionId: versionId,
  achievementVersionId: null,
  kind: "student_id",
  state: "active",
  data: {},
  validFrom: at,
  issuedAt: at,
  expiresAt: "2027-09-30T00:00:00.000Z",
  suspendedAt: null,
  suspensionReason: null,
  revokedAt: null,
  revocationReason: null,
  supersedes: null,
  supersededBy: null,
  linkedPublicly: false,
  verifyUrl: `https://credentials.example.edu/c/${code}`,
  channels: [],
  source: { type: "api", id: actor.id },
  metadata: { order: "4711" },
  ...changed,
};

const achievement = {
  id: "ach_01k4b00a1b2c3d4e5f6g7h8j9k",
  object: "achievement",
  name: "Master of Science in Computer Science",
  status: "published",
  currentVersion: 1,
  metadata: {},
  ...changed,
};
const achievementVersion = {
  id: "acv_01k4b00b2c3d4e5f6g7h8j9k0m",
  object: "achievement_version",
  achievementId: achievement.id,
  version: 1,
  status: "published",
  name: achievement.name,
  publishedAt: at,
  archivedAt: null,
  ...changed,
};
const achievementVersionWithContent = {
  ...achievementVersion,
  description: "Two years of study with a thesis.",
  criteria: { narrative: "120 credits, of which 30 are for the thesis." },
  achievementType: "MasterDegree",
  tags: ["computer science"],
  alignments: [],
  resultDescriptions: [
    { key: "grade", name: "Final grade", resultType: "GradePointAverage", valueMin: "4.0", valueMax: "1.0" },
  ],
  creditsAvailable: 120,
  fieldOfStudy: "Computer science",
  specialization: null,
  humanCode: null,
  inLanguage: "en",
  imageUrl: null,
};

const template = {
  id: templateId,
  object: "template",
  name: "Student ID",
  kind: "student_id",
  slug: "student-id",
  status: "published",
  currentVersion: 1,
  metadata: {},
  ...changed,
};
const version = {
  id: versionId,
  object: "template_version",
  templateId,
  version: 1,
  status: "published",
  validity: { type: "none" },
  achievementId: null,
  publishedAt: at,
  archivedAt: null,
  ...changed,
};
const versionWithDesign = {
  ...version,
  design: {
    front: { fields: [{ key: "programme", label: "Programme", binding: "attributes.programme" }] },
    publicFields: ["programme"],
  },
};

const job = {
  id: "blk_01k4b2m8z4g5h6j7k8m9n0p1q2",
  object: "bulk_job",
  action: "issue",
  status: "running",
  stopReason: null,
  templateId: null,
  total: 8000,
  processed: 3500,
  succeeded: 3499,
  failed: 1,
  createdAt: at,
  startedAt: at,
  finishedAt: null,
};
const refusal = {
  code: "not_found",
  title: errorTable.not_found[2],
  status: 404,
  detail: "There is no such template in this organisation.",
};
const rows = [
  { index: 0, ok: true, credential },
  { index: 1, ok: false, error: refusal },
];

const facts = {
  object: "credential",
  id: credentialId,
  code,
  kind: "student_id",
  state: "active",
  subjectId,
  externalId: "s-1001",
  templateId,
  templateVersionId: versionId,
  issuedAt: at,
  expiresAt: credential.expiresAt,
  suspendedAt: null,
  suspensionReason: null,
  revokedAt: null,
  revocationReason: null,
  supersedes: null,
  supersededBy: null,
};
const event = {
  id: eventId,
  object: "event",
  type: "credential.issued",
  created: 1_788_253_200,
  sequence: 42,
  organisationId: "org_01k4awy1b2c3d4e5f6g7h8j9k0",
  actor,
  data: { object: facts },
};

const endpoint = {
  id: endpointId,
  object: "webhook_endpoint",
  url: "https://example.edu/hooks",
  description: "Student system",
  eventTypes: ["credential.*"],
  headerNames: [],
  rateLimit: null,
  status: "active",
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  willBeDisabledAt: null,
  lastSuccessAt: at,
  lastFailureAt: null,
  lastFailureClass: null,
  lastFailureDetail: null,
  lastFailureDeliveryId: null,
  previousSecretExpiresAt: null,
  metadata: { team: "Registry" },
  ...changed,
};
const delivery = {
  id: deliveryId,
  object: "webhook_delivery",
  endpointId,
  eventId,
  eventType: event.type,
  sequence: event.sequence,
  status: "succeeded",
  trigger: "event",
  attemptCount: 1,
  nextAttemptAt: null,
  lastStatusCode: 204,
  lastErrorClass: null,
  createdAt: at,
  completedAt: at,
};
const attempted = { attempts: 812, succeeded: 811, successRate: 0.9988, p95Ms: 148 };

const organisation = {
  id: event.organisationId,
  object: "organisation",
  name: "Acme University",
  slug: "acme",
  timeZone: "Europe/Berlin",
  locale: "en-GB",
  nameConfirmed: true,
  ...changed,
};

const issuerDid = "did:web:credentials.example.edu:public:issuers:acme";
const statusListId = "https://credentials.example.edu/public/status/acme/revocation";
const publicKey = "z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp";
const issuerKey = {
  id: "iky_01k4b2m9a1j6k7m8n9p0q1r2s3",
  object: "issuer_key",
  kind: "ed25519",
  status: "active",
  verificationMethod: `${issuerDid}#${publicKey}`,
  publicKeyMultibase: publicKey,
  createdAt: at,
  activatedAt: at,
  retiredAt: null,
};
const issuer = {
  id: event.organisationId,
  object: "issuer",
  did: issuerDid,
  didDocumentUrl: "https://credentials.example.edu/public/issuers/acme/did.json",
  keys: [issuerKey],
  createdAt: at,
};

const group = {
  id: "grp_01k4b2m9a1j6k7m8n9p0q1r2s3",
  object: "group",
  name: "Physics students",
  externalId: null,
  description: "",
  kind: "rule",
  rule: { field: "attributes.programme", op: "eq", value: "Physics" },
  memberCount: 212,
  providedBy: null,
  evaluatedAt: at,
  evaluationProblem: null,
  ...changed,
};
const memberErrors = [{ pointer: "/externalIds/3", code: "not_found", message: "is no person of this organisation" }];

const token = {
  id: "key_01k4b2m900h5j6k7m8n9p0q1r2",
  object: "connector_token",
  connectorId: "con_01k4b2m900h5j6k7m8n9p0q1r2",
  lastFour: "V27c",
  createdAt: "2026-11-22T09:00:00.000Z",
  lastUsedAt: null,
  expiresAt: null,
};
const run = {
  id: "run_01k4b2m900h5j6k7m8n9p0q1r2",
  object: "connector_run",
  connectorId: "con_01k4b2m900h5j6k7m8n9p0q1r2",
  status: "held",
  trigger: "upload",
  counts: { rows: 1200, created: 14, updated: 31, unchanged: 1153, deactivated: 0, rejected: 2, held: 140 },
  identical: false,
  hold: {
    reason: "limit",
    message: "140 people would be deactivated. Up to 134 within 24 hours need nobody's approval.",
    limit: 134,
  },
  errorSummary: null,
  attempts: 0,
  createdAt: at,
  startedAt: at,
  finishedAt: at,
};

const policyCounts = {
  issue: 12,
  keep: 840,
  foreign: 0,
  renew: 0,
  resume: 1,
  suspend: 0,
  revoke: 0,
  blocked: 2,
  refused: 0,
};
const policyRun = {
  id: "plr_01k4b8s1d2f3g4h5j6k7m8n9p0",
  object: "policy_run",
  policyId: "pol_01k4b0q2w3e4r5t6y7z8x9c0vb",
  status: "halted",
  trigger: "schedule",
  counts: { ...policyCounts, suspend: 311 },
  planHash: "3q2-7wQm1nT8rL5kXv0cZg",
  halt: {
    reason: "limit",
    limit: 85,
    affected: 311,
    recent: 0,
    holders: 851,
    message: "311 credentials would be ended. Up to 85 within 24 hours need nobody's approval.",
    causes: ["attributes.dept is missing for 311 of the 311 people, who had it when they got their credential."],
  },
  approved: false,
  waitsFor: null,
  error: null,
  refusal: null,
  createdAt: at,
  startedAt: at,
  finishedAt: at,
};
const policyPerson = { subjectId, externalId: "s-1001", displayName: "Ada Lovelace" };

/** An example of each response schema; examples of lists and unions are built from these. */
export const examples: Record<string, unknown> = {
  Organisation: organisation,
  Issuer: issuer,
  IssuerKey: issuerKey,
  StatusListCredential: {
    "@context": ["https://www.w3.org/ns/credentials/v2"],
    id: statusListId,
    type: ["VerifiableCredential", "BitstringStatusListCredential"],
    issuer: issuerDid,
    validFrom: "2026-11-22T10:00:00Z",
    validUntil: "2026-11-25T10:00:00Z",
    credentialSubject: {
      id: `${statusListId}#list`,
      type: "BitstringStatusList",
      statusPurpose: "revocation",
      encodedList: "uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA",
      ttl: 300_000,
    },
    proof: [
      {
        type: "DataIntegrityProof",
        cryptosuite: "eddsa-rdfc-2022",
        created: "2026-11-22T10:01:00Z",
        verificationMethod: issuerKey.verificationMethod,
        proofPurpose: "assertionMethod",
        proofValue: "z2YwC8z3ap7yx1nZYCg4L3j3ApHsF8kgPdSb5xoS1VR7vPG3F561B52hYnQF9iseabecm3ijx4K1FBTQsCZahKZme",
      },
    ],
  },
  StatusListJwt: "eyJhbGciOiJFZERTQSIsInR5cCI6InZjK2p3dCJ9.eyJpZCI6IuKApiJ9.c2lnbmF0dXJl",
  DidDocument: {
    "@context": ["https://www.w3.org/ns/did/v1", "https://w3id.org/security/multikey/v1"],
    id: issuerDid,
    verificationMethod: [
      { id: issuerKey.verificationMethod, type: "Multikey", controller: issuerDid, publicKeyMultibase: publicKey },
    ],
    assertionMethod: [issuerKey.verificationMethod],
  },
  Me: { object: "me", organisation, actor, scopes: ["credentials:issue", "credentials:read"] },
  Subject: subject,
  SubjectWithCounts: {
    ...subject,
    credentialCount: 2,
    activeCredentialCount: 1,
    awaitsPhotoApproval: false,
    staged: false,
  },
  SubjectBulkResult: { data: [{ index: 0, ok: true, outcome: "created", subject }], succeeded: 1, failed: 0 },
  Group: group,
  GroupPreview: { matchCount: 212 },
  GroupMember: {
    object: "group_member",
    subjectId,
    externalId: "s-1001",
    displayName: "Ada Lovelace",
    email: "ada@example.edu",
    status: "active",
    addedAt: at,
    staged: false,
  },
  GroupMembersAdded: { added: 3, unchanged: 0, failed: 1, memberCount: 215, errors: memberErrors },
  GroupMembersRemoved: { removed: 3, unchanged: 0, failed: 1, memberCount: 209, errors: memberErrors },
  Achievement: achievement,
  AchievementWithVersion: { ...achievement, version: achievementVersionWithContent },
  AchievementVersion: achievementVersionWithContent,
  AchievementVersionSummary: achievementVersion,
  AchievementDocument: {
    "@context": ["https://www.w3.org/ns/credentials/v2", "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json"],
    id: `https://credentials.example.edu/public/achievements/${achievementVersion.id}`,
    type: ["Achievement"],
    name: achievement.name,
    description: achievementVersionWithContent.description,
    criteria: achievementVersionWithContent.criteria,
    achievementType: "MasterDegree",
  },
  Template: template,
  TemplateWithVersion: { ...template, version: versionWithDesign },
  TemplateVersion: versionWithDesign,
  TemplateVersionSummary: version,
  Credential: credential,
  CredentialCounts: {
    object: "credential_counts",
    total: 146,
    notRevoked: 138,
    states: { pending: 5, active: 123, suspended: 4, expired: 6, revoked: 8 },
  },
  CredentialHistoryEntry: {
    id: "chh_01k4b2m900h5j6k7m8n9p0q1r2",
    object: "credential_history_entry",
    credentialId,
    action: "suspended",
    fromState: "active",
    toState: "suspended",
    reason: "Fees are overdue",
    note: null,
    actor,
    createdAt: at,
  },
  Connector: {
    id: run.connectorId,
    object: "connector",
    name: "Student registry",
    type: "csv",
    status: "active",
    mapping: { externalId: "student_id", displayName: "full_name", attributes: { department: "dept" } },
    settings: { encoding: "auto", delimiter: "auto" },
    mode: "full",
    missing: "deactivate",
    adopt: "externalId",
    limits: { deactivations: 10, deactivationPercent: 10 },
    priority: 100,
    lastFullRunAt: at,
    schedule: null,
    nextRunAt: null,
    secretSetAt: null,
    createdAt: at,
    updatedAt: at,
  },
  ConnectorSourceTest: {
    ok: true,
    error: null,
    columns: ["student_id", "name.given", "name.family"],
    rows: [["10023", "Ada", "Lovelace"]],
  },
  ConnectorRun: run,
  Policy: {
    id: policyRun.policyId,
    object: "policy",
    name: "Student IDs",
    templateId: template.id,
    groupId: null,
    rule: { field: "attributes.endDate", op: "after", value: "now" },
    onExit: "suspend",
    reentry: "resume",
    graceDays: 14,
    schedule: { cron: "0 5 * * *", timeZone: "Europe/Berlin" },
    blastRadius: { percent: 10, count: 500 },
    renewal: null,
    status: "halted",
    haltedSince: at,
    nextRunAt: at,
    lastRun: policyRun,
    createdAt: at,
    updatedAt: at,
  },
  PolicyRun: policyRun,
  PolicyPreview: {
    counts: policyRun.counts,
    planHash: policyRun.planHash,
    refusal: null,
    halt: policyRun.halt,
    blastRadius: { limit: 85, recent: 0, holders: 851, affected: 311 },
    data: [{ ...policyPerson, action: "suspend", credentialId }],
    nextCursor: null,
  },
  PolicyRemoval: { ...policyPerson, credentialId, action: "suspend", state: "staged" },
  PolicyException: {
    object: "policy_exception",
    policyId: policyRun.policyId,
    ...policyPerson,
    effect: "grant",
    reason: "Visiting lecturer",
    until: at,
    createdAt: at,
    updatedAt: at,
  },
  PolicyExplanation: {
    policyId: policyRun.policyId,
    subjectId,
    meant: false,
    wanted: false,
    action: "suspend",
    active: true,
    inGroup: null,
    exception: null,
    lapsedSince: null,
    comparisons: [
      {
        pointer: "/rule",
        field: "attributes.endDate",
        op: "after",
        value: "now",
        found: "2026-09-30",
        outcome: false,
      },
    ],
  },
  ConnectorPreview: {
    counts: { rows: 1200, created: 14, updated: 31, unchanged: 1153, deactivated: 0, rejected: 2, held: 140 },
    hold: run.hold,
    errorSummary: null,
    data: [
      {
        line: 2,
        externalId: subject.externalId,
        displayName: subject.displayName,
        action: "update",
        changes: [{ field: "attributes.department", from: "Physics", to: "Mathematics" }],
        ownedElsewhere: [],
        errors: [],
      },
    ],
    nextCursor: null,
  },
  ConnectorRunError: {
    line: 17,
    column: "birthday",
    code: "invalid_date",
    message: "The date is not one in the format DD/MM/YYYY.",
  },
  ConnectorRemoval: {
    subjectId: subject.id,
    externalId: subject.externalId,
    displayName: subject.displayName,
    cause: "missing",
    line: null,
    state: "staged",
  },
  ConnectorToken: token,
  ConnectorTokens: { data: [token] },
  NewConnectorToken: { ...token, secret: "svc_sk_live_4f9Kc1vXqT0bN7mZ2sYw8RjLpA6eHd3G5u1oQiV27c" },
  StagedRemoval: {
    subjectId: subject.id,
    externalId: subject.externalId,
    displayName: subject.displayName,
    cause: "status",
    groupId: null,
    groupName: null,
    stagedAt: "2026-11-22T09:30:00.000Z",
  },
  StagedDecision: { deactivated: 40, membershipsRemoved: 0, dropped: 2, remaining: 0 },
  BulkJob: job,
  BulkRow: rows[0],
  BulkResult: { data: rows, succeeded: 1, failed: 1 },
  Verification: {
    object: "verification",
    result: "invalid",
    state: "revoked",
    reason: "revoked",
    reasonText: "The issuer has revoked this credential.",
    checks: [{ name: "revoked", outcome: "fail", detail: "Revoked by its issuer." }],
    checkedAt: at,
    credential: {
      code,
      kind: "student_id",
      title: "Student ID",
      issuer: {
        name: "Acme University",
        slug: "acme",
        nameVerified: true,
        did: null,
        domain: null,
        domainVerified: false,
        registries: [],
        timeZone: "Europe/Berlin",
        locale: "en-GB",
      },
      subject: { displayName: "Ada Lovelace", erased: false, withheld: false, hidden: false },
      fields: [{ key: "programme", label: "Programme", value: "Mathematics", format: "text" }],
      validFrom: at,
      issuedAt: at,
      expiresAt: credential.expiresAt,
      revokedAt: "2026-11-20T14:00:00.000Z",
      revocationReason: "Left the university",
      supersededBy: null,
    },
  },
  Event: event,
  EventType: {
    object: "event_type",
    type: event.type,
    family: "credential.*",
    description: "A credential became valid.",
    sample: { ...event, sequence: 0, test: true },
  },
  WebhookEndpoint: endpoint,
  WebhookEndpointWithSecret: { ...endpoint, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" },
  WebhookEndpointStatistics: {
    object: "webhook_endpoint_statistics",
    endpointId,
    last24Hours: attempted,
    last7Days: attempted,
    hours: [{ hour: at, succeeded: 34, failed: 0 }],
  },
  WebhookQueue: {
    object: "webhook_queue",
    unsequencedEvents: 0,
    oldestUnsequencedAt: null,
    dueDeliveries: 12,
    oldestDueAt: at,
    inFlightDeliveries: 12,
    retryingDeliveries: 3,
    pausedDeliveries: 0,
    parkedDeliveries: 0,
    succeededAttempts: 811,
    failedAttempts: 1,
  },
  WebhookDelivery: delivery,
  WebhookDeliveryWithBody: { ...delivery, body: JSON.stringify(event) },
  WebhookAttempt: {
    id: "att_01k4b2m911j6k7m8n9p0q1r2s3",
    object: "webhook_attempt",
    deliveryId,
    endpointId,
    number: 1,
    trigger: "event",
    url: endpoint.url,
    address: "203.0.113.7",
    requestHeaders: { "svc-event-type": event.type, "svc-attempt": "1" },
    statusCode: 204,
    errorClass: null,
    errorDetail: null,
    durationMs: 41,
    responseHeaders: {},
    responseBody: "",
    responseTruncated: false,
    createdAt: at,
  },
  WebhookRecovery: { object: "webhook_recovery", endpointId, since: at, queued: 1280, more: false },
  WebhookResend: { object: "webhook_resend", requested: 3, queued: 3, skipped: [] },
  OAuthError: {
    error: "invalid_client",
    error_description: "The client is unknown or revoked, or its secret is wrong.",
  },
};

/** The refusal that serves as the example of each status. */
const refusals = {
  400: ["invalid_request", "limit must be a whole number from 1 to 100."],
  401: ["invalid_token", "The token is unknown, revoked or expired."],
  403: ["insufficient_scope", "This needs the scope credentials:issue."],
  404: ["not_found", "There is no such credential in this organisation."],
  409: ["credential_exists", `The subject holds a live credential of this template: ${credentialId}.`],
  412: [
    "precondition_failed",
    "It was changed after you read it. Read it again, repeat your change on what it is now, and send that ETag in If-Match.",
  ],
  410: ["gone", "The event has expired: its content is no longer kept and cannot be sent again."],
  413: ["payload_too_large", "The body may have at most 1048576 bytes."],
  415: ["unsupported_media_type", "Send the body as application/json."],
  422: ["idempotency_key_reused", "This Idempotency-Key was used for another request."],
  429: ["rate_limited", "Too many requests. Try again in 12 seconds."],
  500: [
    "internal_error",
    "Something went wrong on our side and was logged under this requestId. A retry is safe with the same Idempotency-Key.",
  ],
  503: [
    "unavailable",
    "The database cannot be reached. Try again shortly; where an Idempotency-Key was sent, with the same one.",
  ],
} as const;

/** Builds an RFC 9457 example of a refusal; uses the detail of `refusals` if that is of the same code. */
export function problemExample(code: ErrorCode) {
  const [status, , title] = errorTable[code];
  const worded = (refusals as Record<number, readonly [ErrorCode, string]>)[status];
  const detail = worded?.[0] === code ? worded[1] : `${title}.`;
  return { type: `https://credentials.example.edu/docs/errors#${code}`, title, status, detail, code, requestId };
}

/** Chooses the code of a refusal's example among those that an operation has with this status. */
export function exampleCode(status: number, codes: readonly ErrorCode[]): ErrorCode {
  const worded = (refusals as Record<number, readonly [ErrorCode, string]>)[status]?.[0];
  return worded && codes.includes(worded)
    ? worded
    : (codes.findLast((code) => !code.startsWith("idempotency_")) ?? codes[0]!);
}
