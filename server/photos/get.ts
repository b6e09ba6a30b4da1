import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { importView, loadImport } from "./view";

/** Returns an import of photos with its progress. */
export const getPhotoImport = query({
  name: "photos.imports.get",
  scope: "subjects:read",
  input: z.strictObject({ id: id("phi") }),
  run: async (ctx, input) => importView(await loadImport(ctx, input.id)),
});
