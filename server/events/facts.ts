import { z } from "zod";

// What events tell of a resource: ids and facts, never attributes, photos or private notes (contract section 10).

const time = z.iso.datetime();

export const credentialFacts = z.object({
  object: z.literal("credential"),
  id: z.string(),
  code: z.string(),
  kind: z.string(),
  state: z.string(),
  subjectId: z.string(),
  externalId: z.string().meta({ description: "The subject's externalId." }),
  templateId: z.string(),
  templateVersionId: z.string(),
  issuedAt: time.nullable(),
  expiresAt: time.nullable(),
  suspendedAt: time.nullable(),
  suspensionReason: z.string().nullable(),
  revokedAt: time.nullable(),
  revocationReason: z.string().nullable(),
  supersedes: z.string().nullable(),
  supersededBy: z.string().nullable(),
});

export const verificationFacts = z.object({
  object: z.literal("verification"),
  credentialId: z.string(),
  code: z.string(),
  result: z.enum(["valid", "invalid", "indeterminate"]),
  state: z.string(),
  reason: z.string().nullable(),
  via: z.enum(["public", "api", "page"]),
  count: z.int().meta({ description: "How many like this within 60 seconds stand behind this event." }),
});

export const channelFacts = z.object({
  object: z.literal("channel"),
  id: z.string(),
  credentialId: z.string(),
  type: z.enum(["apple_wallet", "google_wallet", "email"]),
  status: z.string(),
  error: z.string().nullable(),
});

export const subjectFacts = z.object({
  object: z.literal("subject"),
  id: z.string(),
  externalId: z.string(),
  displayName: z.string(),
  email: z.string().nullable(),
  status: z.string(),
  createdAt: time,
  updatedAt: time,
});

export const versionFacts = z.object({
  object: z.enum(["template_version", "achievement_version"]),
  id: z.string(),
  templateId: z.string().optional(),
  achievementId: z.string().optional(),
  name: z.string(),
  version: z.int(),
  status: z.string(),
});

export const achievementFacts = z.object({ object: z.literal("achievement"), id: z.string(), name: z.string(), status: z.string() });

export const policyRunFacts = z.object({
  object: z.literal("policy_run"),
  id: z.string(),
  policyId: z.string(),
  status: z.string(),
  counts: z.record(z.string(), z.int()),
  halt: z.object({ reason: z.string(), limit: z.int(), affected: z.int() }).nullable(),
  error: z.string().nullable(),
});

export const groupFacts = z.object({
  object: z.literal("group"),
  id: z.string(),
  name: z.string(),
  externalId: z.string().nullable(),
  kind: z.string(),
});

export const groupMemberFacts = z.object({
  object: z.literal("group"),
  id: z.string(),
  count: z.int(),
  subjectIds: z.array(z.string()).max(100).meta({ description: "The first 100." }),
});

export const endpointFacts = z.object({
  object: z.literal("webhook_endpoint"),
  id: z.string(),
  url: z.string(),
  description: z.string(),
  eventTypes: z.array(z.string()),
  headerNames: z.array(z.string()),
  rateLimit: z.int().nullable(),
  status: z.string(),
  disabledReason: z.string().nullable(),
});
