import { archiveAchievementVersion } from "@/server/achievements/archive-version";
import { createAchievement } from "@/server/achievements/create";
import { createAchievementVersion } from "@/server/achievements/create-version";
import { deleteAchievementImage } from "@/server/achievements/delete-image";
import { deleteAchievement } from "@/server/achievements/delete";
import { getAchievement } from "@/server/achievements/get";
import { getAchievementImage } from "@/server/achievements/get-image";
import { getAchievementVersion } from "@/server/achievements/get-version";
import { listAchievements } from "@/server/achievements/list";
import { listAchievementVersions } from "@/server/achievements/list-versions";
import { publishAchievementVersion } from "@/server/achievements/publish-version";
import { setAchievementImage } from "@/server/achievements/set-image";
import { unarchiveAchievementVersion } from "@/server/achievements/unarchive-version";
import { updateAchievement } from "@/server/achievements/update";
import { updateAchievementVersion } from "@/server/achievements/update-version";
import { draftAchievement, imageOf, publishedAchievement } from "../achievements";
import type { Step } from "./step";

export const achievementSteps: Step[] = [
  {
    operation: setAchievementImage,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => imageOf(ctx, id);
    },
    events: [],
    audit: ["achievement_version.updated"],
  },
  {
    operation: getAchievementImage,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      await imageOf(ctx, id);
      return () => getAchievementImage(ctx, { id, version: 1 });
    },
    events: [],
  },
  {
    operation: deleteAchievementImage,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      await imageOf(ctx, id);
      return () => deleteAchievementImage(ctx, { id, version: 1 });
    },
    events: [],
    audit: ["achievement_version.updated"],
  },
  {
    operation: createAchievement,
    prepare: async (ctx) => () => draftAchievement(ctx),
    events: ["achievement.created"],
  },
  {
    operation: createAchievement,
    case: "published",
    prepare: async (ctx) => () => publishedAchievement(ctx),
    events: ["achievement.created", "achievement.version.published"],
  },
  {
    operation: updateAchievement,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => updateAchievement(ctx, { id, name: "Other" });
    },
    events: ["achievement.updated"],
  },
  {
    operation: deleteAchievement,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => deleteAchievement(ctx, { id });
    },
    events: [],
    audit: ["achievement.deleted"],
  },
  {
    operation: getAchievement,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => getAchievement(ctx, { id });
    },
    events: [],
  },
  { operation: listAchievements, prepare: async (ctx) => () => listAchievements(ctx, {}), events: [] },
  {
    operation: createAchievementVersion,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => createAchievementVersion(ctx, { id });
    },
    events: [],
    audit: ["achievement_version.created"],
  },
  {
    operation: updateAchievementVersion,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => updateAchievementVersion(ctx, { id, version: 1, tags: ["new"] });
    },
    events: [],
    audit: ["achievement_version.updated"],
  },
  {
    operation: getAchievementVersion,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => getAchievementVersion(ctx, { id, version: 1 });
    },
    events: [],
  },
  {
    operation: listAchievementVersions,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => listAchievementVersions(ctx, { id });
    },
    events: [],
  },
  {
    operation: publishAchievementVersion,
    prepare: async (ctx) => {
      const { id } = await draftAchievement(ctx);
      return () => publishAchievementVersion(ctx, { id, version: 1 });
    },
    events: ["achievement.version.published"],
  },
  {
    operation: archiveAchievementVersion,
    prepare: async (ctx) => {
      const { id } = await publishedAchievement(ctx);
      return () => archiveAchievementVersion(ctx, { id, version: 1 });
    },
    events: ["achievement.version.archived"],
  },
  {
    operation: unarchiveAchievementVersion,
    prepare: async (ctx) => {
      const { id } = await publishedAchievement(ctx);
      await archiveAchievementVersion(ctx, { id, version: 1 });
      return () => unarchiveAchievementVersion(ctx, { id, version: 1 });
    },
    events: ["achievement.updated"],
  },
];
