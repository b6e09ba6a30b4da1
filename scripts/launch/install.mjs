import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "./failure.mjs";
import { readIfThere, writeWhole } from "./files.mjs";
import { inProject, root } from "./paths.mjs";
import { groupLives, lives, self } from "./process-identity.mjs";
import { endingSignals, exitCodeOf, runInGroup, stoppedEarly, tail } from "./run.mjs";

/**
 * Contains the installed state (hash of the lock file and scope) or, during an install, its processes: our process,
 * which waits for npm, and npm, which heads a process group and outlives our process if that is killed.
 */
const stamp = inProject("node_modules", ".bonafide-installed");

/** The package with the Node binary of this platform on Linux. Elsewhere the package "node" fetches it. */
const platformNode = inProject("node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
export const pinnedNode = () =>
  existsSync(platformNode)
    ? platformNode
    : inProject("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
export const pinnedVersion = () =>
  JSON.parse(readFileSync(inProject("node_modules", "node", "package.json"), "utf8")).version;

function hashOfLock() {
  const lock = readFileSync(inProject("package-lock.json"));
  return createHash("sha256").update(`${process.platform} ${process.arch}\n`).update(lock).digest("hex");
}

/**
 * Installs the packages with npm unless those of package-lock.json are there.
 *
 * @param {{ development: boolean }} options whether the development packages (test tools) are needed too. They are kept
 * if they were installed before, so that `npm start` after `npm test` does not remove them.
 */
export async function installPackages(step, { development }) {
  const hash = hashOfLock();
  const isWhole = (have) =>
    (have === `${hash} all` || (!development && have === `${hash} production`)) && existsSync(pinnedNode());
  if (isWhole(readIfThere(stamp))) return;
  await step("Packages", async ({ doing, done }) => {
    await untilNobodyInstalls(doing);
    const have = readIfThere(stamp);
    if (isWhole(have)) return done("installed by another process");
    doing("installing with npm, one to several minutes the first time");
    // Files of an aborted install can be incomplete without npm noticing.
    if (have?.startsWith("{")) rmSync(inProject("node_modules"), { recursive: true, force: true });
    const scope = development || have?.endsWith(" all") ? "all" : "production";
    mkdirSync(inProject("node_modules"), { recursive: true });
    writeWhole(stamp, JSON.stringify({ launcher: self() }));
    await npmInstall(scope);
    writeWhole(stamp, `${hash} ${scope}`);
    done("installed");
  });
}

const waitMs = 15 * 60_000;

/** Waits for an install of another process, because two at once break each other's files. */
async function untilNobodyInstalls(doing) {
  const until = performance.now() + waitMs;
  for (let told; ; ) {
    const { launcher, npm } = installersIn(readIfThere(stamp));
    const launcherLives = launcher !== undefined && lives(launcher);
    const npmLives = npm !== undefined && groupLives(npm);
    if (!launcherLives && !npmLives) return;
    const who = launcherLives ? `process ${launcher.pid}` : `the npm of an earlier start (process ${npm.pid})`;
    if (performance.now() > until)
      throw new Failure(
        `The packages are still being installed by ${who}.`,
        `wait until it has finished, or end it (kill ${launcherLives ? launcher.pid : `-- -${npm.pid}`}), and start again.`,
      );
    if (told !== who) doing(`waiting for ${who}, which installs them`);
    told = who;
    await wait(250);
  }
}

function installersIn(text) {
  try {
    return text?.startsWith("{") ? JSON.parse(text) : {};
  } catch {
    // Aborted: the install is not finished, and no process can be waited for.
    return {};
  }
}

/** @param {"all" | "production"} scope */
async function npmInstall(scope) {
  // --no-save leaves package-lock.json unchanged. Unlike `npm ci`, it lets any npm from 10 accept a lock file of
  // another version (they place optional peers differently).
  await npm([
    "install",
    "--no-save",
    scope === "all" ? "--include=dev" : "--omit=dev",
    "--include=optional",
    "--ignore-scripts",
  ]);
  const approved = packagesWithScripts();
  if (approved.length > 0) await npm(["rebuild", "--ignore-scripts=false", ...approved]);
  if (!existsSync(pinnedNode()))
    throw new Failure(
      "npm installed the packages but not the Node that they bring.",
      "delete node_modules and start again; npm must be able to reach its registry.",
    );
}

/**
 * The installed packages whose install scripts run: those that "allowScripts" of package.json approves. npm from 11.16
 * reads that list itself; for older ones, scripts are off and these packages are rebuilt by name.
 */
function packagesWithScripts() {
  const { allowScripts } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const approved = Object.keys(allowScripts).filter(
    (name) => allowScripts[name] && existsSync(inProject("node_modules", name)),
  );
  return approved.filter((name) => name !== "node" || !existsSync(platformNode));
}

async function npm(args) {
  const program = process.env.npm_execpath?.endsWith(".js") ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const all = [...program.slice(1), ...args, "--no-audit", "--no-fund", "--loglevel=error"];
  const { group, ended, end } = runInGroup(program[0], all, { cwd: root });
  let stopping = false;
  const stop = async (signal) => {
    if (stopping) return;
    stopping = true;
    await end();
    process.stderr.write(`\n${stoppedEarly(signal)}\n`);
    process.exit(exitCodeOf(signal));
  };
  for (const signal of endingSignals) process.on(signal, stop);
  if (group) writeWhole(stamp, JSON.stringify({ launcher: self(), npm: group }));
  const { code, output } = await ended.catch((cause) => {
    throw new Failure("npm could not be started.", "install npm, which comes with Node, and start again.", { cause });
  });
  // The end of npm that stop() waits for is not a failure.
  if (stopping) await new Promise(() => {});
  for (const signal of endingSignals) process.removeListener(signal, stop);
  if (code !== 0) throw npmFailure(output);
}

function npmFailure(output) {
  const detail = tail(output);
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output))
    return new Failure(
      "npm cannot reach its registry, so that the packages could not be installed.",
      "check the network connection, and the proxy or registry in `npm config list`, and start again.",
      { detail },
    );
  if (/EACCES|EPERM|EROFS/.test(output))
    return new Failure(
      "npm may not write to this folder.",
      `make ${root} and what is in it belong to the user who starts Bonafide, and start again.`,
      { detail },
    );
  if (/ENOSPC/.test(output))
    return new Failure("The disk is full.", "make some 3 GB free and start again.", { detail });
  return new Failure(
    "npm could not install the packages.",
    "put right what npm names and start again; deleting node_modules first does no harm.",
    { detail },
  );
}
