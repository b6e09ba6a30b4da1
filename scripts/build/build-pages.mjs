import { existsSync, rmSync } from "node:fs";
import { Failure } from "../launch/failure.mjs";
import { readIfThere, writeWhole } from "../launch/files.mjs";
import { inProject, root } from "../launch/paths.mjs";
import { run, tail } from "../launch/run.mjs";
import { refuseWhileServed } from "./page-users.mjs";
import { hashOfSources } from "./sources.mjs";

const stamp = inProject(".build", "pages.hash");
const sources = [
  "app",
  "components",
  "server",
  "inngest",
  "public",
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "package-lock.json",
];

/**
 * Builds the pages with Next unless the sources equal those of the last finished build. The stamp is written last, so
 * that an aborted build is repeated.
 *
 * @param {AbortSignal} [signal] aborts the build
 * @throws Failure, also if a server serves the pages of the last build
 */
export async function buildPages({ doing, done }, signal) {
  const want = hashOfSources(sources);
  if (readIfThere(stamp) === want && existsSync(inProject(".next", "BUILD_ID"))) return done("built before");
  refuseWhileServed();
  doing("building, one to several minutes whenever the sources changed");
  rmSync(stamp, { force: true });
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1" };
  const stdio = ["ignore", "pipe", "pipe", "ipc"];
  const { code, output } = await run(process.execPath, [inProject("scripts", "build", "next-build.mjs")], {
    cwd: root,
    env,
    signal,
    stdio,
  });
  if (code !== 0)
    throw new Failure("The pages could not be built.", "correct what the build names and start again.", {
      detail: tail(output, 40),
    });
  writeWhole(stamp, want);
  done("built");
}
