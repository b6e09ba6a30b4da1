import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Scalar's reference viewer, as its npm package ships it: nothing is loaded from another host. */
export async function GET(): Promise<Response> {
  const script = await readFile(join(process.cwd(), "node_modules/@scalar/api-reference/dist/browser/standalone.js"));
  return new Response(script, { headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "public, max-age=86400" } });
}
