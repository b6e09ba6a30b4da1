import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Failure } from "./failure.mjs";
import { inWords } from "./system-failure.mjs";

/** Returns the content of a text file; undefined if there is none. */
export function readIfThere(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Returns the content of a JSON file; undefined if there is none, or an empty one, as a power failure leaves it.
 *
 * @param {string} path
 * @param {string} todo what to do if the file is incomplete
 * @throws Failure for content that is not JSON
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

/** Works like readIfThere, for a file that people may have edited. */
export function readInWords(path) {
  try {
    return readIfThere(path);
  } catch (error) {
    throw inWords(`${path} cannot be read`, error);
  }
}

/** Writes a file atomically, readable only by its owner. */
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
 * Writes a file atomically unless it exists. A process that finds the file also finds its whole content.
 *
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

/** The draft of a file, which this process moves to its place when it is complete. */
const draftOf = (path) => `${path}.${process.pid}`;
