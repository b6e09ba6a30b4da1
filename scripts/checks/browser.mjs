import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { inProject, root } from "../launch/paths.mjs";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const usual = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

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
  const apt = (...args) =>
    spawnSync("apt-get", [...args], { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } })
      .status === 0;
  return apt("update") && apt("install", "--yes", "--no-install-recommends", "chromium") ? installed() : undefined;
}

/**
 * Unpacks the Chromium of @sparticuz/chromium into the project, because the shared temporary folder may contain another
 * user's. Adds the package's libraries if this system lacks them.
 */
async function fromNpm() {
  const { default: chromium } = await import("@sparticuz/chromium");
  const unpack = async (folder, environment) => {
    mkdirSync(folder, { recursive: true });
    const before = { TMPDIR: process.env.TMPDIR, AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV };
    Object.assign(process.env, { TMPDIR: folder }, environment);
    try {
      return await chromium.executablePath();
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  };
  const plain = await unpack(inProject(".build", "chromium"));
  if (versionOf({ path: plain })) return { path: plain };
  // The package unpacks its libraries only if it detects Amazon's system.
  const folder = inProject(".build", "chromium-with-libraries");
  const path = await unpack(folder, { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" });
  return { path, libraries: join(folder, "al2023", "lib") };
}

/** A version such as "Chromium 156.0.1"; undefined if it does not run. */
function versionOf({ path, libraries }) {
  const env = { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
  const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8", env });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Returns the Chromiums to test with: only that of CHROMIUM_PATH or, without it, the system's (if any) and the one from
 * npm. As root on Debian, installs the system's first.
 *
 * @typedef {{ path: string, libraries?: string, name: string }} Browser
 * @param {(text: string) => void} doing
 * @returns {Promise<Browser[]>} those that run here, at least one
 */
export async function findBrowsers(doing = () => {}) {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return named([{ path: chosen }]);
  doing("looking for Chromium");
  const system = installed() ?? fromDebian();
  return named([...(system ? [{ path: system }] : []), await fromNpm()]);
}

function named(browsers) {
  const running = browsers.flatMap((browser) => {
    const version = versionOf(browser);
    return version
      ? [
          {
            ...browser,
            name: `${version} (${browser.path.startsWith(root) ? relative(root, browser.path) : browser.path})`,
          },
        ]
      : [];
  });
  if (running.length > 0) return running;
  throw new Failure(
    `No Chromium runs here; tried ${browsers.map(({ path }) => path).join(" and ")}.`,
    "install Chromium or Chrome, or name one with CHROMIUM_PATH.",
  );
}
