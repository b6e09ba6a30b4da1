import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.mjs";
import { readIfThere } from "./files.mjs";
import { inProject, root } from "./paths.mjs";
import { lives, self } from "./process-identity.mjs";
import { endingSignals, run, tail } from "./run.mjs";

/** Holds the hash of what is installed or, during an install, the process that does it. */
const stamp = inProject("node_modules", ".bonafide-installed");

/** The Node that the packages bring. */
export const pinnedNode = inProject("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");
export const pinnedVersion = () => JSON.parse(readFileSync(inProject("node_modules", "node", "package.json"), "utf8")).version;

function wanted() {
  const lock = readFileSync(inProject("package-lock.json"));
  return createHash("sha256").update(`${process.platform} ${process.arch}\n`).update(lock).digest("hex");
}

/** Installs the packages with npm unless they are those of package-lock.json already. */
export async function installPackages(step) {
  const want = wanted();
  const have = readIfThere(stamp);
  if (have === want && existsSync(pinnedNode)) return;
  await step("Packages", async ({ doing, done }) => {
    doing("installing with npm, a minute or so the first time");
    if (have?.startsWith("{")) clearUnfinished(JSON.parse(have));
    mkdirSync(inProject("node_modules"), { recursive: true });
    writeFileSync(stamp, JSON.stringify(self()));
    await npmInstall();
    writeFileSync(stamp, want);
    done("installed");
  });
}

/** Files that an install cut off left behind can be incomplete without npm noticing. */
function clearUnfinished(installer) {
  if (lives(installer))
    throw new Failure(`Process ${installer.pid} is installing the packages at this moment.`, "wait until it has finished, and start again.");
  rmSync(inProject("node_modules"), { recursive: true, force: true });
}

async function npmInstall() {
  // --no-save leaves package-lock.json alone, and unlike `npm ci` any npm from 10 accepts the lock file that another
  // one wrote (they place optional peers differently).
  const args = ["install", "--no-save", "--include=dev", "--include=optional", "--ignore-scripts=false", "--no-audit", "--no-fund", "--loglevel=error"];
  // Spares the download of an engine that nothing here uses: migrations need none.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
  const npm = process.env.npm_execpath?.endsWith(".js") ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const stopping = new AbortController();
  for (const signal of endingSignals) process.once(signal, () => stopping.abort());
  const { code, output } = await run(npm[0], [...npm.slice(1), ...args], { cwd: root, env, signal: stopping.signal }).catch((cause) => {
    if (stopping.signal.aborted) process.exit(1);
    throw new Failure("npm could not be started.", "install npm, which comes with Node, and start again.", { cause });
  });
  if (code !== 0) throw npmFailure(output);
  if (!existsSync(pinnedNode))
    throw new Failure("npm installed the packages but not the Node that they bring.", "delete node_modules and start again; npm must be able to reach its registry and to run install scripts.");
}

function npmFailure(output) {
  const detail = tail(output);
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output))
    return new Failure("npm cannot reach its registry, so that the packages could not be installed.", "check the network connection, and the proxy or registry in `npm config list`, and start again.", { detail });
  if (/EACCES|EPERM|EROFS/.test(output))
    return new Failure("npm may not write to this folder.", `make ${root} and what is in it belong to the user who starts Bonafide, and start again.`, { detail });
  if (/ENOSPC/.test(output)) return new Failure("The disk is full.", "make some 3 GB free and start again.", { detail });
  return new Failure("npm could not install the packages.", "put right what npm names and start again; deleting node_modules first does no harm.", { detail });
}
