import { join } from "node:path";
import { staticFile } from "@/server/http/web/static-file";

/** The service worker of pages that somebody keeps on a device. At the root, since it may serve no path above its own. */
export const GET = staticFile(
  join(process.cwd(), ".build", "public", "offline.js"),
  "text/javascript; charset=utf-8",
  "no-cache",
);
