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
import { dataUrl, setImageFromPage } from "../photo";
import {
  fromCommand,
  fromCommandSentAs,
  fromQuery,
  fromQueryGivenAs,
  fromTagged,
  fromTaggedCommand,
  router,
} from "../trpc";

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
    image: fromQueryGivenAs(getAchievementImage, dataUrl),
    setImage: fromCommandSentAs(setAchievementImage, setImageFromPage),
    deleteImage: fromCommand(deleteAchievementImage),
  }),
});
