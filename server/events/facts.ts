import { z } from "zod";

// The facts about resources in events: ids and facts, never attributes, photos or private notes (contract section 10).
// Each field is bounded, so that the largest event, with all its previous fields, is under 20 KB (size.test.ts). The
// inputs of operations have bounds at least as narrow.

const time = z.iso.datetime();

/** Ids, our own keywords, URLs and names of headers: printable ASCII, so one byte a character. */
const token = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[!#-[\]-~]*$/);
const id = token(40);
const word = token(40);

/** Characters of an endpoint's URL. */
export const maxUrl = 2000;

/** Text that people wrote, on one line. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u);

/** Sentences that explain a failure. */
const explanation = text(1000);
const name = text(300);
const externalId = text(255);
const reason = text(500);

export const credentialFacts = z.object({
  object: z.literal("credential"),
  id,
  code: token(19),
  kind: word,
  state: word,
  subjectId: id,
  externalId: externalId.meta({ description: "The subject's externalId." }),
  templateId: id,
  templateVersionId: id,
  issuedAt: time.nullable(),
  expiresAt: time.nullable(),
  suspendedAt: time.nullable(),
  suspensionReason: reason.nullable(),
  revokedAt: time.nullable(),
  revocationReason: reason.nullable(),
  supersedes: id.nullable(),
  supersededBy: id.nullable(),
});

/** A valid credential stores no reason, so the event itself says why the credential is valid again. */
export const resumedFacts = credentialFacts.extend({ resumptionReason: reason.nullable() });

export const nameConfirmationFacts = z.object({
  object: z.literal("name_confirmation"),
  id,
  state: word,
  subjectId: id,
  templateId: id,
  credentialId: id.nullable(),
  linkExpiresAt: time,
});

export const verificationFacts = z.object({
  object: z.literal("verification"),
  credentialId: id,
  code: token(19),
  result: z.enum(["valid", "invalid", "indeterminate"]),
  state: word,
  reason: word.nullable(),
  via: z.enum(["public", "api", "page"]),
  count: z.int().meta({ description: "How many like this within 60 seconds stand behind this event." }),
});

/** Where holders and readers share a credential: the buttons of its public page. */
export const shareChannels = ["link", "device", "email", "linkedin", "linkedin_profile", "whatsapp", "x"] as const;

export type ShareChannel = (typeof shareChannels)[number];

export const sharedFacts = credentialFacts.extend({
  channel: z.enum(shareChannels).meta({
    description: "How: link copied it, device is the share menu of a phone, linkedin_profile added it to a profile.",
  }),
  count: z.int().meta({ description: "How many like this within 60 seconds stand behind this event." }),
});

export const channelFacts = z.object({
  object: z.literal("channel"),
  id,
  credentialId: id,
  type: z.enum(["apple_wallet", "google_wallet", "email"]),
  status: word,
  error: explanation.nullable(),
});

export const subjectFacts = z.object({
  object: z.literal("subject"),
  id,
  externalId,
  displayName: name,
  email: text(320).nullable(),
  status: word,
  photoUpdatedAt: time.nullable(),
  photoStatus: word.nullable(),
  erasedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
});

export const versionFacts = z.object({
  object: z.enum(["template_version", "achievement_version"]),
  id,
  templateId: id.optional(),
  achievementId: id.optional(),
  name,
  version: z.int(),
  status: word,
});

export const achievementFacts = z.object({ object: z.literal("achievement"), id, name, status: word });

export const policyRunFacts = z.object({
  object: z.literal("policy_run"),
  id,
  policyId: id,
  status: word,
  counts: z.partialRecord(
    z.enum([
      "issue",
      "keep",
      "confirming",
      "foreign",
      "renew",
      "resume",
      "suspend",
      "revoke",
      "grace",
      "blocked",
      "refused",
    ]),
    z.int(),
  ),
  halt: z.object({ reason: word, limit: z.int(), affected: z.int() }).nullable(),
  error: explanation.nullable(),
});

export const groupFacts = z.object({
  object: z.literal("group"),
  id,
  name,
  externalId: externalId.nullable(),
  kind: word,
});

export const groupMemberFacts = z.object({
  object: z.literal("group"),
  id,
  count: z.int(),
  subjectIds: z.array(id).max(100).meta({ description: "The first 100." }),
});

export const endpointFacts = z.object({
  object: z.literal("webhook_endpoint"),
  id,
  url: token(maxUrl).meta({ description: "With path and query masked: they often hold a secret." }),
  description: text(500),
  eventTypes: z.array(word).max(64),
  headerNames: z.array(token(100)).max(20),
  rateLimit: z.int().nullable(),
  status: word,
  disabledReason: word.nullable(),
});
