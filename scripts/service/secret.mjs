import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { placeWhole, readInWords, writeWhole } from "../launch/files.mjs";

/**
 * Returns the master secret and, during a rotation, the previous one: from the environment or from the data directory.
 * Creates a secret if neither has one and the database needs none yet.
 *
 * @param {string} dataDirectory
 * @param {string} databaseUrl migrated
 * @param {typeof import("../../server/admin/master-secret.ts").recordMasterSecret} [record] compares them with the
 * secret of the database
 * @returns {Promise<{ BONAFIDE_SECRET: string, BONAFIDE_PREVIOUS_SECRET: string }>} for the environment of the server;
 * an empty previous one means none
 * @throws Failure if the database was used with another secret
 */
export async function masterSecrets(dataDirectory, databaseUrl, record = recordOfBuild) {
  const { previous, ...found } = given(dataDirectory);
  let { current } = found;
  let outcome = await record(databaseUrl, { current, previous });
  if (current === undefined) {
    // If several servers share the folder and start for the first time, one of them creates the secret.
    if (outcome === "none") placeWhole(join(dataDirectory, "secret"), `${randomBytes(32).toString("base64url")}\n`);
    ({ current } = given(dataDirectory));
    if (current !== undefined) outcome = await record(databaseUrl, { current, previous });
  }
  if (outcome !== "settled") throw new Failure(outcome.wrong, outcome.todo);
  return { BONAFIDE_SECRET: current, BONAFIDE_PREVIOUS_SECRET: previous ?? "" };
}

/**
 * The secrets for `secret reset`, whichever secret the database was used with: those of the environment or data
 * directory, or a new one.
 *
 * @param {string} dataDirectory
 * @param {{ keep: boolean }} options whether a new one is stored in the data directory
 */
export function secretsToBeginWith(dataDirectory, { keep }) {
  let current = process.env.BONAFIDE_SECRET || usable(readInWords(join(dataDirectory, "secret")));
  if (current === undefined) {
    current = randomBytes(32).toString("base64url");
    if (keep) writeWhole(join(dataDirectory, "secret"), `${current}\n`);
  }
  return { BONAFIDE_SECRET: current, BONAFIDE_PREVIOUS_SECRET: "" };
}

/**
 * Refuses another secret than that of the database, as far as this can be checked before the migration. Writes nothing.
 *
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

/** The same rule that server/core/env.ts has for BONAFIDE_SECRET. */
const leastLength = 32;

const usable = (kept) => (kept && kept.trim().length >= leastLength ? kept.trim() : undefined);

/** @throws Failure if the stored text cannot be a secret, before its fingerprint is written into the database */
function keptIn(dataDirectory, name) {
  const path = join(dataDirectory, name);
  const kept = readInWords(path)?.trim();
  if (kept === undefined || kept.length >= leastLength) return kept;
  throw new Failure(
    kept === ""
      ? `${path} is empty: the master secret that was in it is lost.`
      : `${path} is too short for a master secret: it has ${kept.length} characters, and ${leastLength} are the least.`,
    name === "secret.previous"
      ? "restore it from a backup. It is needed only until the rotation is finished."
      : "restore it from a backup: what is encrypted in the database cannot be read without it. If it is lost for good: npm run admin -- secret reset (docs/operations.md).",
  );
}

const checkOfBuild = async (...args) => (await import("../../.build/secret.mjs")).checkMasterSecret(...args);
const recordOfBuild = async (...args) => (await import("../../.build/secret.mjs")).recordMasterSecret(...args);
