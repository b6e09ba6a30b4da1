import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { inProject } from "./paths.mjs";

/**
 * Gives npm, Next and browsers a home directory in the project if this user has no writable one, as a service account
 * may.
 */
export function ensureHome() {
  if (process.env.HOME && isWritableFolder(process.env.HOME)) return;
  const home = inProject(".build", "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  process.env.HOME = home;
  // The parent npm passes on the cache directory of the home that it was given.
  process.env.npm_config_cache = join(home, ".npm");
}

function isWritableFolder(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
