import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const usual = ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"];

function installed() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...usual].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function fromDebian() {
  if (process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) return undefined;
  const apt = (...args) => spawnSync("apt-get", [...args], { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }).status === 0;
  return apt("update") && apt("install", "--yes", "--no-install-recommends", "chromium") ? installed() : undefined;
}

async function fromNpm() {
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

/**
 * A Chromium to test with: the one of CHROMIUM_PATH, of this system, of Debian's packages (installed now, where we are
 * root), or the one that comes from npm.
 * @param {(text: string) => void} doing
 * @returns {Promise<string>} the path of its program
 */
export async function findBrowser(doing = () => {}) {
  const present = process.env.CHROMIUM_PATH || installed();
  if (present) return present;
  doing("installing Chromium");
  return fromDebian() ?? (await fromNpm());
}
