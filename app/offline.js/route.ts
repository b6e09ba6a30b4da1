import { join } from "node:path";
import { staticFile } from "@/server/http/web/static-file";

/**
 * The service worker for pages that are kept on a device. It is at the root, because a service worker cannot serve
 * paths above its own.
 */
export const GET = staticFile(
  join(process.cwd(), ".build", "public", "offline.js"),
  "text/javascript; charset=utf-8",
  "no-cache",
);
