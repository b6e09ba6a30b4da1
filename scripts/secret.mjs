import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "./failure.mjs";
import { readIfThere, writeWhole } from "./files.mjs";

/** The master secret: of the environment, or kept in the data directory, where it is generated once. */
export function masterSecret(dataDirectory) {
  if (process.env.BONAFIDE_SECRET) return process.env.BONAFIDE_SECRET;
  const path = join(dataDirectory, "secret");
  const kept = readIfThere(path)?.trim();
  if (kept === "") throw new Failure(`${path} is empty.`, "restore it from a backup: what is encrypted in the database cannot be read without it. To begin anew, delete the whole data directory.");
  if (kept) return kept;
  const made = randomBytes(32).toString("base64url");
  writeWhole(path, `${made}\n`);
  return made;
}
