import { existsSync, mkdirSync, rmSync } from "node:fs";
import { Failure } from "./failure.mjs";
import { readIfThere, writeWhole } from "./files.mjs";
import { inProject, root } from "./paths.mjs";
import { hashOfSources } from "./sources.mjs";

const stamp = inProject(".build", "server.hash");
const entryPoints = { serve: "server/serve.ts", admin: "server/admin.ts", env: "server/core/env.ts", secret: "server/admin/master-secret.ts" };

/**
 * Bundles the server, the admin commands and the configuration into .build/*.mjs, since Node does not resolve our
 * imports by itself, unless the sources are those of the last time. The generated Prisma client becomes part of it;
 * packages stay outside.
 */
export async function buildServer(step) {
  const want = hashOfSources(["server", "inngest", "app", "package-lock.json", "tsconfig.json"]);
  const outputs = Object.keys(entryPoints).map((name) => inProject(".build", `${name}.mjs`));
  if (readIfThere(stamp) === want && outputs.every((path) => existsSync(path))) return;
  await step("Server code", async ({ done }) => {
    rmSync(stamp, { force: true });
    mkdirSync(inProject(".build"), { recursive: true });
    const { build, stop } = await import("esbuild");
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints,
      outdir: inProject(".build"),
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node24",
      packages: "external",
      sourcemap: true,
      metafile: true,
      logLevel: "error",
    });
    // Its own process, which would stay beside the server.
    await stop();
    refuseMissing(metafile);
    writeWhole(stamp, want);
    done("built");
  });
}

/** A file of ours that is not there passes for a package, which stays outside. */
function refuseMissing({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path } of imports) if (path.startsWith("@/")) throw new Failure(`${file} imports ${path}, which does not exist.`, "correct the import.");
}
