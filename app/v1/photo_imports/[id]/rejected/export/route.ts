import { csv, route } from "@/server/http/rest/route";
import { exportPhotoRejections } from "@/server/photos/export-rejections";

export const GET = route({
  operation: exportPhotoRejections,
  summary: "Export the files of an archive that became nobody's photo, as CSV",
  response: null,
  download: csv,
});
