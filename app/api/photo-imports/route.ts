import { photoImportHandler } from "@/server/trpc/photo-import-handler";

export { photoImportHandler as POST };
