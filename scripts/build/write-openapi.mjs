import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { Failure } from "../launch/failure.mjs";
import { inProject } from "../launch/paths.mjs";
import { generateCode } from "./prepare-code.mjs";

/**
 * Writes public/openapi.json from the route files. Refuses changes that would break clients: within /v1 nothing is
 * removed and nothing changes meaning (specification, section 9).
 */
export async function writeOpenApi(step) {
  await generateCode(step);
  await step("OpenAPI", async ({ done }) => {
    const { openApiDocument, breakingChanges } = await generator();
    const target = inProject("public", "openapi.json");
    const next = openApiDocument();
    const breaking = existsSync(target) ? breakingChanges(JSON.parse(readFileSync(target, "utf8")), next) : [];
    if (breaking.length > 0) {
      throw new Failure("This would break clients of /v1.", "keep what was there, and add beside it.", {
        detail: breaking.map((change) => `  - ${change}`).join("\n"),
      });
    }
    writeFileSync(target, `${JSON.stringify(next, null, 2)}\n`);
    done(`public/openapi.json: ${Object.keys(next.paths).length} paths`);
  });
  process.exit(0);
}

async function generator() {
  const bundle = inProject(".build", "openapi.mjs");
  await build({
    entryPoints: [inProject("server", "http", "openapi", "generate.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    packages: "external",
    logLevel: "error",
  });
  return import(bundle);
}
