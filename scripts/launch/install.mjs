import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { Failure } from "./failure.mjs";
import { readIfThere, writeWhole } from "./files.mjs";
import { inProject, root } from "./paths.mjs";
import { lives, self } from "./process-identity.mjs";
import { endingSignals, run, tail } from "./run.mjs";

/** Holds what is installed (hash of the lock file and scope) or, during an install, the process that does it. */
const stamp = inProject("node_modules", ".bonafide-installed");

/** The Node binary of this platform: a package of its own on Linux; elsewhere the package "node" fetches it. */
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
 * @param {{ development: boolean }} options whether the development packages (test tools) are needed too. They are kept
 *   where they were installed before, so that `npm start` after `npm test` does not remove them.
 */
export async function installPackages(step, { development }) {
  const hash = hashOfLock();
  const have = readIfThere(stamp);
  if ((have === `${hash} all` || (!development && have === `${hash} production`)) && existsSync(pinnedNode())) return;
  await step("Packages", async ({ doing, done }) => {
    doing("installing with npm, a minute or so the first time");
    if (have?.startsWith("{")) clearUnfinished(JSON.parse(have));
    const scope = development || have?.endsWith(" all") ? "all" : "production";
    mkdirSync(inProject("node_modules"), { recursive: true });
    writeWhole(stamp, JSON.stringify(self()));
    await npmInstall(scope);
    writeWhole(stamp, `${hash} ${scope}`);
    done("installed");
  });
}

/** Files that an install cut off left behind can be incomplete without npm noticing. */
function clearUnfinished(installer) {
  if (lives(installer))
    throw new Failure(
      `Process ${installer.pid} is installing the packages at this moment.`,
      "wait until it has finished, and start again.",
    );
  rmSync(inProject("node_modules"), { recursive: true, force: true });
}

/** @param {"all" | "production"} scope */
async function npmInstall(scope) {
  // --no-save leaves package-lock.json alone, and unlike `npm ci` any npm from 10 accepts the lock file that another
  // one wrote (they place optional peers differently).
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
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of endingSignals) process.once(signal, stop);
  const all = [...program.slice(1), ...args, "--no-audit", "--no-fund", "--loglevel=error"];
  const { code, output } = await run(program[0], all, { cwd: root, signal: stopping.signal }).catch((cause) => {
    if (stopping.signal.aborted) process.exit(1);
    throw new Failure("npm could not be started.", "install npm, which comes with Node, and start again.", { cause });
  });
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
