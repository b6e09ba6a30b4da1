import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { listPhotoRejections, photoRejectionSchema } from "@/server/photos/list-rejections";

export const GET = route({
  operation: listPhotoRejections,
  summary: "List the files of an archive that became nobody's photo",
  response: pageOf(photoRejectionSchema),
});
