import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.mjs";
import { inWords } from "./system-failure.mjs";

/** The content of a text file; undefined where there is none. */
export function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The content of a JSON file; undefined where there is none, or an empty one, as a machine that lost power leaves it.
 * @param {string} path
 * @param {string} todo what to do where the file is not whole
 * @throws Failure for anything else than JSON
 */
export function readJsonIfThere(path, todo) {
  const text = readInWords(path);
  if (!text?.trim()) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure(`${path} is not whole: it holds no JSON that can be read.`, todo, { cause });
  }
}

/** Like readIfThere, for a file that people may have touched. */
export function readInWords(path) {
  try {
    return readIfThere(path);
  } catch (error) {
    throw inWords(`${path} cannot be read`, error);
  }
}

/** Writes a file that is there whole or not at all, for its owner alone. */
export function writeWhole(path, content) {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Writes a file that is there whole or not at all, unless there is one: whoever finds it finds its content too.
 * @returns {boolean} whether it was written
 */
export function placeWhole(path, content) {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Where this process writes a file before it takes its place. */
const draftOf = (path) => `${path}.${process.pid}`;
