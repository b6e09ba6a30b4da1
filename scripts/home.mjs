import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { inProject } from "./paths.mjs";

/** Gives npm, Next and browsers a home directory in the project where this user has none that can be written to, such as an account for a service. */
export function ensureHome() {
  if (process.env.HOME && isWritableFolder(process.env.HOME)) return;
  const home = inProject(".build", "home");
  mkdirSync(home, { recursive: true, mode: 0o700 });
  process.env.HOME = home;
}

function isWritableFolder(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
