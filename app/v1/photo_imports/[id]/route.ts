import { route } from "@/server/http/rest/route";
import { getPhotoImport } from "@/server/photos/get";
import { photoImportSchema } from "@/server/photos/view";

export const GET = route({
  operation: getPhotoImport,
  summary: "Get an import of photos and its progress",
  response: photoImportSchema,
});
