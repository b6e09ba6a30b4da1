import { join } from "node:path";
import { staticScript } from "@/server/http/static-script";

/** Scalar's reference viewer, as its npm package ships it: nothing is loaded from another host. */
export const GET = staticScript(join(process.cwd(), "node_modules/@scalar/api-reference/dist/browser/standalone.js"));
