import { join } from "node:path";
import { staticFile } from "@/server/http/web/static-file";

/** Scalar's reference viewer from its npm package, so that nothing is loaded from another host. */
export const GET = staticFile(join(process.cwd(), "node_modules/@scalar/api-reference/dist/browser/standalone.js"));
