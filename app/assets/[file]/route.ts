import { builtFile } from "@/server/http/web/built-file";

/** The scripts, styles and fonts of the public pages. */
export const GET = builtFile();
