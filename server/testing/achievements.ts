import type { Ctx } from "@/server/core/context";
import { createAchievement } from "@/server/achievements/create";

type NewAchievement = Partial<Parameters<typeof createAchievement>[1]>;

/** Creates an achievement whose version 1 is a draft. */
export async function draftAchievement(ctx: Ctx, some: NewAchievement = {}) {
  return createAchievement(ctx, {
    name: "Course of Any Kind",
    description: "A course about any subject.",
    criteria: { narrative: "Pass the examination." },
    ...some,
  });
}

/** Creates an achievement that credentials can state. */
export async function publishedAchievement(ctx: Ctx, some: NewAchievement = {}) {
  return draftAchievement(ctx, { publish: true, ...some });
}
