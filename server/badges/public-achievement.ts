import type { AchievementContent } from "@/server/achievements/content";
import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { readId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { contextUrls } from "@/server/standards/json-ld/contexts";
import type { JsonObject } from "@/server/standards/json";
import { achievementDocument } from "./achievement-document";

/**
 * Returns a version of an achievement that was published, as its credentials state it: what their `achievement.id`
 * leads to.
 *
 * @throws DomainError not_found, also for a draft
 */
export async function publicAchievement(id: string): Promise<JsonObject> {
  const [row] = await lookUp<{ id: Id<"acv">; name: string; content: AchievementContent }>(
    sql,
    `SELECT id, name, content FROM achievement_versions WHERE id = $1 AND published_at IS NOT NULL`,
    [readId("acv", id)],
  );
  if (!row) throw new DomainError("not_found", "There is no published achievement with this id.");
  return { "@context": [contextUrls.credentialsV2, contextUrls.openBadges], ...achievementDocument(row) };
}
