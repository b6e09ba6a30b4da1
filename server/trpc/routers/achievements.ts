import { archiveAchievementVersion } from "@/server/achievements/archive-version";
import { createAchievement } from "@/server/achievements/create";
import { createAchievementVersion } from "@/server/achievements/create-version";
import { deleteAchievement } from "@/server/achievements/delete";
import { getAchievement } from "@/server/achievements/get";
import { getAchievementVersion } from "@/server/achievements/get-version";
import { listAchievements } from "@/server/achievements/list";
import { listAchievementVersions } from "@/server/achievements/list-versions";
import { publishAchievementVersion } from "@/server/achievements/publish-version";
import { unarchiveAchievementVersion } from "@/server/achievements/unarchive-version";
import { updateAchievement } from "@/server/achievements/update";
import { updateAchievementVersion } from "@/server/achievements/update-version";
import { fromCommand, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const achievementsRouter = router({
  list: fromQuery(listAchievements),
  get: fromTagged(getAchievement),
  create: fromCommand(createAchievement),
  update: fromTaggedCommand(updateAchievement),
  delete: fromCommand(deleteAchievement),
  versions: router({
    list: fromQuery(listAchievementVersions),
    get: fromTagged(getAchievementVersion),
    create: fromCommand(createAchievementVersion),
    update: fromTaggedCommand(updateAchievementVersion),
    publish: fromCommand(publishAchievementVersion),
    archive: fromCommand(archiveAchievementVersion),
    unarchive: fromCommand(unarchiveAchievementVersion),
  }),
});
