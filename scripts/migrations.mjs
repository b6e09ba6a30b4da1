import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { inProject } from "./paths.mjs";

export const migrationsFolder = inProject("prisma", "migrations");

/** The migrations of this version in their order, in Prisma's folder format. */
export function migrationsOf(folder = migrationsFolder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(`${folder}/${name}/migration.sql`, "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });
}
