import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import { readId } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { contextUrls } from "@/server/standards/json-ld/contexts";
import type { JsonObject } from "@/server/standards/json";
import { achievementDocument, type StatedAchievement } from "./achievement-document";

/**
 * Returns a published version of an achievement, as its credentials state it. `achievement.id` leads here.
 *
 * @throws DomainError not_found, also for a draft
 */
export async function publicAchievement(id: string): Promise<JsonObject> {
  const [row] = await lookUp<StatedAchievement>(
    sql,
    `SELECT a.id, a.name, a.content, i.sha256 AS image FROM achievement_versions a
     LEFT JOIN achievement_images i ON i.org_id = a.org_id AND i.version_id = a.id WHERE a.id = $1 AND a.published_at IS NOT NULL`,
    [readId("acv", id)],
  );
  if (!row) throw new DomainError("not_found", "There is no published achievement with this id.");
  return { "@context": [contextUrls.credentialsV2, contextUrls.openBadges], ...achievementDocument(row) };
}
