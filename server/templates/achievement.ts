import { loadAchievement } from "@/server/achievements/load";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import type { TemplateKind } from "./view";

/**
 * Checks that a template of this kind can name an achievement, and locks the achievement so that nobody deletes it
 * meanwhile.
 *
 * @throws DomainError `invalid_request` for another kind than academic; `not_found`
 */
export async function requireNameable(
  ctx: TxCtx,
  kind: TemplateKind,
  achievementId: Id<"ach"> | null | undefined,
): Promise<void> {
  if (!achievementId) return;
  if (kind !== "academic")
    throw invalidInput([
      {
        pointer: "/achievementId",
        code: "invalid_value",
        message: `must be left out: credentials of the kind ${kind} state no achievement, academic ones do`,
      },
    ]);
  await loadAchievement(ctx, achievementId, "FOR SHARE");
}

/** Refuses to publish a version while no version of its achievement is current: nothing could be issued from it. */
export async function requireCurrent(ctx: TxCtx, achievementId: Id<"ach"> | null): Promise<void> {
  if (!achievementId) return;
  const { current_version, name } = await loadAchievement(ctx, achievementId, "FOR SHARE");
  if (current_version === null) throw achievementNotPublished(achievementId, name);
}

export function achievementNotPublished(id: Id<"ach">, name: string): DomainError {
  return new DomainError(
    "achievement_not_published",
    `The achievement ${JSON.stringify(name)} has no current version, so no credential can state it. Publish or unarchive a version of it first.`,
    { members: { achievementId: publicId("ach", id) } },
  );
}
