import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { inProject } from "../launch/paths.mjs";

export const migrationsFolder = inProject("prisma", "migrations");

/** The first line of a migration.sql whose statements run one by one, without a transaction: see docs/migrations.md. */
export const noTransaction = "-- no-transaction";

/**
 * The migrations of this version in their order, in Prisma's folder format.
 * @typedef {{ name: string, sql: string, checksum: string, transaction: boolean }} Migration
 * @returns {Migration[]}
 */
export function migrationsOf(folder = migrationsFolder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => migrationFrom(name, readFileSync(`${folder}/${name}/migration.sql`, "utf8")));
}

/** @returns {Migration} */
export function migrationFrom(name, sql) {
  return {
    name,
    sql,
    checksum: sha256(sql),
    transaction: sql.split("\n", 1)[0].trim() !== noTransaction,
  };
}

/** Whether a recorded checksum matches a migration's text, with whichever line endings Git gave the file. */
export function isChecksumOf(checksum, sql) {
  const unix = sql.replaceAll("\r\n", "\n");
  return [sql, unix, unix.replaceAll("\n", "\r\n")].some((text) => sha256(text) === checksum);
}

const sha256 = (text) => createHash("sha256").update(text).digest("hex");
