import { cancelPhotoImport } from "@/server/photos/cancel";
import { exportPhotoRejections } from "@/server/photos/export-rejections";
import { getPhotoImport } from "@/server/photos/get";
import { listPhotoImports } from "@/server/photos/list";
import { listPhotoRejections } from "@/server/photos/list-rejections";
import { fromCommand, fromDownload, fromQuery, router } from "../trpc";

/** An archive itself comes to app/api/photo-imports. */
export const photosRouter = router({
  imports: fromQuery(listPhotoImports),
  import: fromQuery(getPhotoImport),
  rejected: fromQuery(listPhotoRejections),
  exportRejected: fromDownload(exportPhotoRejections),
  cancel: fromCommand(cancelPhotoImport),
});
