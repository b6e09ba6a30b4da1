import { writeFileSync } from "node:fs";
import { readIfThere } from "../launch/files.mjs";
import { migrationsOf } from "./migrations.mjs";
import { inProject } from "../launch/paths.mjs";

/**
 * Writes server/http/generated/migrations.ts: the migrations that the database must have for this build
 * (server/http/web/readiness.ts).
 */
export function generateMigrationNames() {
  const target = inProject("server", "http", "generated", "migrations.ts");
  const rows = migrationsOf().map(({ name }) => `  ${JSON.stringify(name)},`);
  const text = `// Written by scripts/migrations/migration-names.mjs.\nexport const migrations = [\n${rows.join("\n")}\n];\n`;
  if (readIfThere(target) !== text) writeFileSync(target, text);
}
