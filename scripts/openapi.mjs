import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { generateRoutes } from "./routes.mjs";
import { root } from "./paths.mjs";

// Writes public/openapi.json from the route files. Refuses what would break a client of the document as it is: within
// /v1 nothing is removed and nothing changes meaning (specification, section 9).
generateRoutes();
const bundle = join(root, ".build/openapi.mjs");
await build({
  entryPoints: [join(root, "server/http/openapi/generate.ts")],
  outfile: bundle,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  packages: "external",
  logLevel: "error",
});
const { openApiDocument, breakingChanges } = await import(bundle);
const target = join(root, "public/openapi.json");
const next = openApiDocument();
const breaking = existsSync(target) ? breakingChanges(JSON.parse(readFileSync(target, "utf8")), next) : [];
if (breaking.length > 0) {
  console.error(`This would break clients of /v1:\n${breaking.map((change) => `  - ${change}`).join("\n")}\nKeep what was there, and add beside it.`);
  process.exit(1);
}
writeFileSync(target, `${JSON.stringify(next, null, 2)}\n`);
console.log(`public/openapi.json: ${Object.keys(next.paths).length} paths`);
process.exit(0);
