import { join } from "node:path";
import { staticFile } from "@/server/http/web/static-file";

/**
 * The console's font, at an address that the reference can name: Next gives the files of its pages new names with each
 * build.
 */
export const GET = staticFile(
  join(process.cwd(), "node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2"),
  "font/woff2",
);
