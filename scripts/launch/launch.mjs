import { describe } from "./describe.mjs";
import { ensureHome } from "./home.mjs";
import { installPackages, pinnedNode, pinnedVersion } from "./install.mjs";
import { root } from "./paths.mjs";
import { progressOn } from "./progress.mjs";
import { endLike, runInOurPlace } from "./run.mjs";

/**
 * Installs missing packages, switches to the pinned Node and its flags if necessary, and runs `main(step)` there. An error is printed
 * on standard error and ends the process with 1.
 *
 * @param {(step: ReturnType<typeof progressOn>) => Promise<unknown>} main
 * @param {{ out?: NodeJS.WriteStream, development?: boolean, flags?: readonly string[] }} [options] `out`: where progress
 * goes; `development`: whether the development packages are needed; `flags`: flags of Node, unless the operator set them
 */
export async function launch(main, { out = process.stdout, development = false, flags = [] } = {}) {
  process.chdir(root);
  ensureHome();
  try {
    const step = progressOn(out);
    await installPackages(step, { development });
    const missing = flags.filter((flag) => !isSet(flag));
    if (process.versions.node !== pinnedVersion() || missing.length > 0) {
      const args = [...missing, ...process.execArgv, ...process.argv.slice(1)];
      return endLike(await runInOurPlace(pinnedNode(), args, { stdio: ["inherit", "inherit", "inherit", "ipc"] }));
    }
    endWithLauncher();
    await main(step);
  } catch (error) {
    process.stderr.write(`\n${describe(error)}\n`);
    process.exit(1);
  }
}

function isSet(flag) {
  const [name] = flag.split("=");
  return [...process.execArgv, process.env.NODE_OPTIONS ?? ""].some((each) => each.includes(name));
}

/** The channel closes when the parent process dies, even by SIGKILL. */
function endWithLauncher() {
  if (!process.channel) return;
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
