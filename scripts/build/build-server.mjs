import { existsSync, mkdirSync, rmSync } from "node:fs";
import { bundle } from "./bundle.mjs";
import { Failure } from "../launch/failure.mjs";
import { readIfThere, writeWhole } from "../launch/files.mjs";
import { inProject } from "../launch/paths.mjs";
import { hashOfSources } from "./sources.mjs";

/** The entry points of worker processes (server/core/workers) and of the thread of the jobs (server/job-thread). */
const workers = {
  "drawing-worker": "server/drawing/drawing-worker.ts",
  "foreign-worker": "server/verification/foreign-worker.ts",
  "job-thread": "server/job-thread/entry.ts",
  "pass-worker": "server/wallets/apple/pass-worker.ts",
};
const stamp = inProject(".build", "server.hash");
const entryPoints = {
  serve: "server/serve.ts",
  admin: "server/admin.ts",
  env: "server/core/env.ts",
  secret: "server/admin/master-secret.ts",
  ...workers,
};

/**
 * Bundles the server, the admin commands and the configuration into .build/*.mjs, unless the sources equal those of the
 * last build.
 */
export async function buildServer(step) {
  const want = hashOfSources(["server", "inngest", "app", "package-lock.json", "tsconfig.json"]);
  const outputs = Object.keys(entryPoints).map((name) => inProject(".build", `${name}.mjs`));
  if (readIfThere(stamp) === want && outputs.every((path) => existsSync(path))) return;
  await step("Server code", async ({ done }) => {
    rmSync(stamp, { force: true });
    mkdirSync(inProject(".build"), { recursive: true });
    refuseMissing(await bundle(entryPoints, inProject(".build")));
    writeWhole(stamp, want);
    done("built");
  });
}

/** A missing file of ours would be treated as a package, which stays outside of the bundle. */
function refuseMissing({ inputs }) {
  for (const [file, { imports }] of Object.entries(inputs))
    for (const { path } of imports)
      if (path.startsWith("@/"))
        throw new Failure(`${file} imports ${path}, which does not exist.`, "correct the import.");
}

/** Bundles only the entry points of worker processes and threads, for tests, whose own process runs the sources. */
export const buildWorkers = () => {
  // The sources may be newer than those of the existing server bundle.
  rmSync(stamp, { force: true });
  return bundle(workers, inProject(".build"));
};
