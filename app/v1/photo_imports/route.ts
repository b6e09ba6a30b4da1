import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { createPhotoImport } from "@/server/photos/create";
import { archiveLimit } from "@/server/photos/limits";
import { listPhotoImports } from "@/server/photos/list";
import { photoImportSchema } from "@/server/photos/view";

export const POST = route({
  operation: createPhotoImport,
  summary: "Upload a ZIP archive of photos",
  description:
    "Each file becomes the photo of the subject whose externalId it is named by, such as `s-1001.jpg`; folders do not matter. Up to 512 MiB and 10,000 photos, each as PUT /v1/subjects/{id}/photo takes it. Answers with the import, which works in the background. Files that become nobody's photo are listed with the reason.",
  file: {
    field: "archive",
    types: ["application/zip", "application/x-zip-compressed", "application/octet-stream"],
    limit: archiveLimit,
    partName: "file",
  },
  response: photoImportSchema,
  statuses: [202],
  location: ({ id }) => `/v1/photo_imports/${id}`,
});

export const GET = route({
  operation: listPhotoImports,
  summary: "List imports of photos",
  response: pageOf(photoImportSchema),
});
