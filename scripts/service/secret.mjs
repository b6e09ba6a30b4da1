import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { readIfThere, writeWhole } from "../launch/files.mjs";

/**
 * The master secret and, while that is rotated, the previous one: of the environment, or kept in the data directory.
 * One is made where neither has one and the database needs none yet.
 * @param {string} dataDirectory
 * @param {string} databaseUrl migrated
 * @param {typeof import("../../server/admin/master-secret.ts").recordMasterSecret} [record] compares them with what the
 *   database was used with
 * @returns {Promise<{ BONAFIDE_SECRET: string, BONAFIDE_PREVIOUS_SECRET: string }>} for the environment of the server;
 *   an empty previous one means none
 * @throws Failure where the database was used with another secret
 */
export async function masterSecrets(dataDirectory, databaseUrl, record = recordOfBuild) {
  const { previous, ...found } = given(dataDirectory);
  let { current } = found;
  let outcome = await record(databaseUrl, { current, previous });
  if (outcome === "none") {
    current = randomBytes(32).toString("base64url");
    writeWhole(join(dataDirectory, "secret"), `${current}\n`);
    outcome = await record(databaseUrl, { current, previous });
  }
  if (outcome !== "settled") throw new Failure(outcome.wrong, outcome.todo);
  return { BONAFIDE_SECRET: current, BONAFIDE_PREVIOUS_SECRET: previous ?? "" };
}

/**
 * The secrets for `secret reset`, whatever the database was used with: those of the environment or data directory, or a
 * new one.
 * @param {string} dataDirectory
 * @param {{ keep: boolean }} options whether a new one is kept in the data directory
 */
export function secretsToBeginWith(dataDirectory, { keep }) {
  let { current } = given(dataDirectory);
  if (current === undefined) {
    current = randomBytes(32).toString("base64url");
    if (keep) writeWhole(join(dataDirectory, "secret"), `${current}\n`);
  }
  return { BONAFIDE_SECRET: current, BONAFIDE_PREVIOUS_SECRET: "" };
}

/**
 * Says no to another secret than the database was used with, as far as that can be told before it is migrated. Writes
 * nothing.
 * @param {string} dataDirectory
 * @param {string} databaseUrl
 * @param {typeof import("../../server/admin/master-secret.ts").checkMasterSecret} [check]
 * @throws Failure
 */
export async function refuseOtherSecret(dataDirectory, databaseUrl, check = checkOfBuild) {
  const refusal = await check(databaseUrl, given(dataDirectory));
  if (refusal) throw new Failure(refusal.wrong, refusal.todo);
}

const given = (dataDirectory) => ({
  current: process.env.BONAFIDE_SECRET || keptIn(dataDirectory, "secret"),
  previous: process.env.BONAFIDE_PREVIOUS_SECRET || keptIn(dataDirectory, "secret.previous"),
});

function keptIn(dataDirectory, name) {
  const path = join(dataDirectory, name);
  const kept = readIfThere(path)?.trim();
  if (kept === "")
    throw new Failure(
      `${path} is empty.`,
      "restore it from a backup: what is encrypted in the database cannot be read without it. To begin anew, delete the whole data directory.",
    );
  return kept;
}

const checkOfBuild = async (...args) => (await import("../../.build/secret.mjs")).checkMasterSecret(...args);
const recordOfBuild = async (...args) => (await import("../../.build/secret.mjs")).recordMasterSecret(...args);
