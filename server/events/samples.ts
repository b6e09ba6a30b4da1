import { newPublicId, publicId, type Id } from "@/server/core/ids";
import { catalogue, type EventObject, type EventType } from "./catalogue";
import type { EventView } from "./view";

const at = (day: number, hour = 9) =>
  `2026-09-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00.000Z`;

const ids = {
  credential: "crd_01k4b2m8v0f8n9t6q3r5w7x1yz",
  subject: "sub_01k4b2hz3ge5d8s7a6p4c2b1n0",
  template: "tpl_01k4azx0m1h2j3k4n5p6q7r8s9",
  version: "tpv_01k4azy5c6d7e8f9g0h1j2k3m4",
  achievement: "ach_01k4b00a1b2c3d4e5f6g7h8j9k",
  group: "grp_01k4b0c9n8m7k6j5h4g3f2e1d0",
  policy: "pol_01k4b0q2w3e4r5t6y7z8x9c0vb",
  run: "plr_01k4b8s1d2f3g4h5j6k7m8n9p0",
  confirmation: "ncf_01k4b1e2r3t4y5z6x7c8v9b0nm",
  channel: "chn_01k4b5a2s3d4f5g6h7j8k9m0n1",
  endpoint: "whe_01k4ay1z2x3c4v5b6n7m8k9j0h",
};

const credential: EventObject<"credential.issued"> = {
  object: "credential",
  id: ids.credential,
  code: "7Q4M-X2KD-93TH-ZP6V",
  kind: "student_id",
  state: "active",
  subjectId: ids.subject,
  externalId: "s-1001",
  templateId: ids.template,
  templateVersionId: ids.version,
  issuedAt: at(1),
  expiresAt: "2027-08-31T22:00:00.000Z",
  suspendedAt: null,
  suspensionReason: null,
  revokedAt: null,
  revocationReason: null,
  supersedes: null,
  supersededBy: null,
};

const confirmation: EventObject<"name_confirmation.requested"> = {
  object: "name_confirmation",
  id: ids.confirmation,
  state: "waiting",
  subjectId: ids.subject,
  templateId: ids.template,
  credentialId: null,
  linkExpiresAt: "2026-10-01T09:00:00.000Z",
};

const verification: EventObject<"credential.verified"> = {
  object: "verification",
  credentialId: ids.credential,
  code: credential.code,
  result: "valid",
  state: "active",
  reason: null,
  via: "public",
  count: 1,
};

const channel: EventObject<"credential.channel.provisioned"> = {
  object: "channel",
  id: ids.channel,
  credentialId: ids.credential,
  type: "apple_wallet",
  status: "provisioned",
  error: null,
};

const subject: EventObject<"subject.created"> = {
  object: "subject",
  id: ids.subject,
  externalId: "s-1001",
  displayName: "Ada Lovelace",
  email: "ada@example.edu",
  status: "active",
  photoUpdatedAt: null,
  photoStatus: null,
  erasedAt: null,
  createdAt: at(1, 8),
  updatedAt: at(1, 8),
};

const templateVersion: EventObject<"template.version.published"> = {
  object: "template_version",
  id: ids.version,
  templateId: ids.template,
  name: "Student ID",
  version: 2,
  status: "published",
};

const achievementVersion: EventObject<"achievement.version.published"> = {
  object: "achievement_version",
  id: "acv_01k4b01n2m3k4j5h6g7f8e9d0c",
  achievementId: ids.achievement,
  name: "Research Methods",
  version: 1,
  status: "published",
};

const achievement: EventObject<"achievement.created"> = {
  object: "achievement",
  id: ids.achievement,
  name: "Research Methods",
  status: "draft",
};

const policyRun: EventObject<"policy.applied"> = {
  object: "policy_run",
  id: ids.run,
  policyId: ids.policy,
  status: "completed",
  counts: {
    issue: 12,
    keep: 840,
    confirming: 0,
    foreign: 0,
    renew: 0,
    resume: 1,
    suspend: 3,
    revoke: 0,
    grace: 2,
    blocked: 0,
    refused: 0,
  },
  halt: null,
  error: null,
};

const group: EventObject<"group.created"> = {
  object: "group",
  id: ids.group,
  name: "Mathematics 2026",
  externalId: "math-2026",
  kind: "static",
};
const members: EventObject<"group.members_added"> = {
  object: "group",
  id: ids.group,
  count: 1,
  subjectIds: [ids.subject],
};

const endpoint: EventObject<"webhook.endpoint.created"> = {
  object: "webhook_endpoint",
  id: ids.endpoint,
  url: "https://example.edu/hooks",
  description: "Student system",
  eventTypes: ["credential.*"],
  headerNames: [],
  rateLimit: null,
  status: "active",
  disabledReason: null,
};

type Sample<T extends EventType> = { object: EventObject<T>; previous?: Record<string, unknown> };

/** A typical event of each type. */
const samples: { [T in EventType]: Sample<T> } = {
  "credential.created": { object: { ...credential, state: "pending", issuedAt: null } },
  "credential.issued": { object: credential },
  "credential.updated": {
    object: { ...credential, expiresAt: "2028-08-31T22:00:00.000Z" },
    previous: { expiresAt: credential.expiresAt },
  },
  "credential.suspended": {
    object: { ...credential, state: "suspended", suspendedAt: at(10), suspensionReason: "Leave of absence" },
    previous: { state: "active", suspendedAt: null, suspensionReason: null },
  },
  "credential.resumed": {
    object: { ...credential, resumptionReason: "Back from leave" },
    previous: { state: "suspended", suspendedAt: at(10), suspensionReason: "Leave of absence" },
  },
  "credential.revoked": {
    object: { ...credential, state: "revoked", revokedAt: at(20), revocationReason: "The enrolment ended" },
    previous: { state: "active", revokedAt: null, revocationReason: null },
  },
  "credential.expired": {
    object: { ...credential, state: "expired", expiresAt: at(15) },
    previous: { state: "active" },
  },
  "credential.verified": { object: verification },
  "credential.verify_refused": { object: { ...verification, result: "invalid", state: "revoked", reason: "revoked" } },
  "credential.shared": { object: { ...credential, channel: "linkedin", count: 1 } },
  "credential.viewed": { object: { ...verification, via: "page" } },
  "credential.channel.provisioned": { object: channel },
  "credential.channel.installed": { object: { ...channel, status: "installed" } },
  "credential.channel.removed": { object: { ...channel, status: "removed" } },
  "credential.channel.failed": {
    object: { ...channel, status: "failed", error: "The push service refused the device token." },
  },
  "subject.created": { object: subject },
  "subject.updated": {
    object: { ...subject, email: "ada.lovelace@example.edu", updatedAt: at(12) },
    previous: { email: subject.email },
  },
  "subject.deactivated": {
    object: { ...subject, status: "inactive", updatedAt: at(20) },
    previous: { status: "active" },
  },
  "subject.deleted": { object: subject },
  "template.version.published": { object: templateVersion, previous: { status: "draft" } },
  "template.version.archived": {
    object: { ...templateVersion, status: "archived" },
    previous: { status: "published" },
  },
  "template.version.unarchived": { object: templateVersion, previous: { status: "archived" } },
  "achievement.created": { object: achievement },
  "achievement.updated": {
    object: { ...achievement, name: "Advanced Research Methods" },
    previous: { name: achievement.name },
  },
  "achievement.version.published": { object: achievementVersion, previous: { status: "draft" } },
  "achievement.version.archived": {
    object: { ...achievementVersion, status: "archived" },
    previous: { status: "published" },
  },
  "policy.applied": { object: policyRun },
  "policy.halted": {
    object: {
      ...policyRun,
      status: "halted",
      counts: { ...policyRun.counts, suspend: 311 },
      halt: { reason: "limit", limit: 85, affected: 311 },
    },
  },
  "policy.failed": {
    object: { ...policyRun, status: "failed", error: "The template has no published version. Publish one first." },
  },
  "group.created": { object: group },
  "group.updated": { object: { ...group, name: "Mathematics 2026/27" }, previous: { name: group.name } },
  "group.deleted": { object: group },
  "group.members_added": { object: members },
  "group.members_removed": { object: members },
  "name_confirmation.requested": { object: confirmation },
  "name_confirmation.confirmed": { object: { ...confirmation, state: "confirmed", credentialId: ids.credential } },
  "name_confirmation.cancelled": { object: { ...confirmation, state: "cancelled" } },
  "webhook.endpoint.created": { object: endpoint },
  "webhook.endpoint.updated": {
    object: { ...endpoint, eventTypes: ["credential.*", "subject.*"] },
    previous: { eventTypes: endpoint.eventTypes },
  },
  "webhook.endpoint.deleted": { object: endpoint },
  "webhook.endpoint.disabled": {
    object: { ...endpoint, status: "disabled", disabledReason: "failing" },
    previous: { status: "active", disabledReason: null },
  },
};

/**
 * Makes a sample event as a listener would receive it, except for `test: true` and the sequence 0, which the log never
 * assigns.
 */
export function sampleEvent(type: EventType, orgId: Id<"org">, now: Date): EventView & { test: true } {
  const { object, previous } = samples[type];
  return {
    id: newPublicId("evt"),
    object: "event",
    type,
    created: Math.floor(now.getTime() / 1000),
    sequence: 0,
    organisationId: publicId("org", orgId),
    actor: { type: "api_key", id: "key_01k4awz8x7c6v5b4n3m2k1j0hg" },
    data: { object: catalogue[type].object.parse(object), ...(previous && { previous }) },
    test: true,
  };
}
