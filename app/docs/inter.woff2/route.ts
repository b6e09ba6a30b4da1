import { join } from "node:path";
import { staticFile } from "@/server/http/web/static-file";

/** The console's font, at a fixed address for the reference: Next renames the files of its pages with each build. */
export const GET = staticFile(
  join(process.cwd(), "node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2"),
  "font/woff2",
);
