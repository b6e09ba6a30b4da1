import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { placeWhole, readInWords, writeWhole } from "../launch/files.mjs";

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
  if (current === undefined) {
    // Of several servers that share the folder and start for the first time, one makes the secret.
    if (outcome === "none") placeWhole(join(dataDirectory, "secret"), `${randomBytes(32).toString("base64url")}\n`);
    ({ current } = given(dataDirectory));
    if (current !== undefined) outcome = await record(databaseUrl, { current, previous });
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
  let current = process.env.BONAFIDE_SECRET || usable(readInWords(join(dataDirectory, "secret")));
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

/** As server/core/env.ts demands it of BONAFIDE_SECRET. */
const leastLength = 32;

const usable = (kept) => (kept && kept.trim().length >= leastLength ? kept.trim() : undefined);

/** @throws Failure where what is kept cannot be a secret, before its fingerprint is written into the database */
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
