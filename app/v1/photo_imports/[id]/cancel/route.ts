import { route } from "@/server/http/rest/route";
import { cancelPhotoImport } from "@/server/photos/cancel";
import { photoImportSchema } from "@/server/photos/view";

export const POST = route({
  operation: cancelPhotoImport,
  summary: "Cancel an import of photos",
  description: "Photos that were set stay; the rest is never set.",
  response: photoImportSchema,
});
