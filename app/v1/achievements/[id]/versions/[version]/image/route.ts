import { deleteAchievementImage } from "@/server/achievements/delete-image";
import { getAchievementImage } from "@/server/achievements/get-image";
import { imageLimit, imageTypes } from "@/server/achievements/image-limits";
import { setAchievementImage } from "@/server/achievements/set-image";
import { versionSchema } from "@/server/achievements/view";
import { route } from "@/server/http/rest/route";

export const PUT = route({
  operation: setAchievementImage,
  summary: "Set the picture of a draft version",
  description:
    "What badges show, and what credentials state as achievement.image. A PNG of 90 to 16 million pixels, or an SVG of plain shapes: no text (convert it to outlines), no scripts and nothing from outside. Up to 2 MiB. It is fitted into 600 × 600 pixels and kept as PNG without metadata. A new version takes the picture of the newest one over.",
  file: { field: "image", types: imageTypes, limit: imageLimit, partName: "file" },
  response: versionSchema,
});

export const GET = route({
  operation: getAchievementImage,
  summary: "Get the picture of a version",
  description: "As PNG, with an ETag: If-None-Match is answered with 304. 404 where it has none.",
  response: null,
  download: { types: ["image/png"], description: "The picture.", revalidated: true },
});

export const DELETE = route({
  operation: deleteAchievementImage,
  summary: "Remove the picture of a draft version",
  response: null,
});
