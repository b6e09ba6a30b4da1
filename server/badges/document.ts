import { verifyUrl } from "@/server/credentials/view";
import { contextUrls } from "@/server/standards/json-ld/contexts";
import type { JsonObject } from "@/server/standards/json";
import { achievementDocument, filled, minimalAchievement, resultDocuments } from "./achievement-document";
import { awardedTime, evidenceDocuments } from "./award";
import { withDistinctIds } from "./distinct-ids";
import type { BadgeFacts } from "./facts";
import { recipientIdentity } from "./identity";

/**
 * Builds the unsigned document of an academic credential: an OpenBadgeCredential (Open Badges 3.0) on VCDM 2.0. It
 * names the holder only if the organisation chose so, and depends only on its arguments.
 *
 * @param issuer the organisation's DID
 * @param statuses the entries of the credential in the status lists
 */
export function badgeDocument(facts: BadgeFacts, issuer: string, statuses: JsonObject[]): JsonObject {
  const { data, achievement } = facts;
  const stated = achievement
    ? achievementDocument(achievement)
    : minimalAchievement(facts.template_id, facts.title, facts.issuer_name);
  const profile = { id: issuer, type: ["Profile"], name: facts.issuer_name };
  const { creditsEarned } = data;
  const document = filled({
    "@context": [contextUrls.credentialsV2, contextUrls.openBadges],
    id: verifyUrl(facts.code),
    type: ["VerifiableCredential", "OpenBadgeCredential"],
    name: stated["name"],
    issuer: profile,
    awardedDate: awardedTime(facts),
    validFrom: facts.valid_from.toISOString(),
    validUntil: facts.expires_at && lastInstant(facts.expires_at),
    credentialSubject: filled({
      type: ["AchievementSubject"],
      identifier: recipientIdentity(facts),
      achievement: { ...stated, creator: profile },
      creditsEarned: typeof creditsEarned === "number" && creditsEarned >= 0 ? creditsEarned : undefined,
      result: achievement ? resultDocuments(stated["id"] as string, achievement.content, data) : [],
    }),
    evidence: evidenceDocuments(data["evidence"]),
    credentialStatus: statuses,
  });
  return withDistinctIds(document);
}

/**
 * `expires_at` is exclusive, but `validUntil` is inclusive (VCDM 2.0, section 4.9): the last millisecond before the
 * end. A reader of the end of 28 February therefore reads that day, and not the next one.
 */
const lastInstant = (end: Date): string => new Date(end.getTime() - 1).toISOString();
