import type { Ctx } from "@/server/core/context";
import { createAchievement } from "@/server/achievements/create";
import { setAchievementImage } from "@/server/achievements/set-image";
import { receiveUpload } from "@/server/core/blobs/upload";
import { picture } from "./photo";

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

/** Sets a picture of one colour, or the given one, on version 1 of an achievement. */
export async function imageOf(ctx: Ctx, id: string, bytes?: Buffer) {
  const given = bytes ?? (await picture({ format: "png" }));
  const image = await receiveUpload(
    (async function* () {
      yield given;
    })(),
    given.length,
  );
  try {
    return await setAchievementImage(ctx, { id, version: 1, image });
  } finally {
    await image.discard();
  }
}
