import type { TxCtx } from "@/server/core/context";
import { append } from "@/server/events/append";
import { currentAfter, nextStatus, type VersionAction } from "@/server/templates/states";
import {
  achievementColumns,
  factsOf,
  versionColumns,
  versionFactsOf,
  type AchievementRow,
  type VersionRow,
} from "./view";

const eventOf = { publish: "achievement.version.published", archive: "achievement.version.archived" } as const;

/**
 * Applies an action to a version and updates the achievement accordingly: its current version and its status. The first
 * publication fixes the name that credentials of the version state. Emits the action's event, and for unarchive
 * achievement.updated, since spec 6.2 has no type of its own for it; nothing if nothing changed. The caller must have
 * locked the achievement's row.
 *
 * @throws DomainError `version_state`
 */
export async function changeStatus(
  ctx: TxCtx,
  achievement: AchievementRow,
  before: VersionRow,
  action: VersionAction,
): Promise<{ achievement: AchievementRow; version: VersionRow }> {
  const status = nextStatus(before, action);
  const current = currentAfter(achievement.current_version, before, status, action);
  if (status === before.status && current === achievement.current_version) return { achievement, version: before };
  const [version] = await ctx.tx.sql<VersionRow>(
    `UPDATE achievement_versions SET status = $3::text, updated_at = $4,
       name = CASE WHEN $3 = 'published' THEN coalesce(name, $5) ELSE name END,
       published_at = CASE WHEN $3 = 'published' THEN coalesce(published_at, $4) ELSE published_at END,
       archived_at = CASE WHEN $3 = 'archived' THEN $4::timestamptz END
     WHERE org_id = $1 AND id = $2 RETURNING ${versionColumns}`,
    [ctx.orgId, before.id, status, ctx.now, achievement.name],
  );
  const [after] = await ctx.tx.sql<AchievementRow>(
    `UPDATE achievements SET current_version = $3, updated_at = $4, status = CASE
       WHEN $3::int IS NOT NULL THEN 'published'
       WHEN EXISTS (SELECT 1 FROM achievement_versions v WHERE v.org_id = $1 AND v.achievement_id = $2 AND v.status <> 'draft') THEN 'archived'
       ELSE 'draft' END
     WHERE org_id = $1 AND id = $2 RETURNING ${achievementColumns}`,
    [ctx.orgId, achievement.id, current, ctx.now],
  );
  if (action === "unarchive") {
    await append(ctx, {
      type: "achievement.updated",
      resourceId: after!.id,
      object: factsOf(after!),
      ...(after!.status !== achievement.status && { previous: { status: achievement.status } }),
    });
  } else {
    await append(ctx, {
      type: eventOf[action],
      resourceId: version!.id,
      object: versionFactsOf(after!, version!),
      ...(status !== before.status && { previous: { status: before.status } }),
    });
  }
  return { achievement: after!, version: version! };
}
