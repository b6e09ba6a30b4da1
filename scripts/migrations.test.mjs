import { expect, test } from "vitest";
import { migrationsOf } from "./migrations.mjs";

// Each is applied in one transaction with its record (migrate.mjs), which these would break out of or refuse.
test.each(migrationsOf())("$name can be applied in one transaction", ({ sql }) => {
  const statements = sql.replace(/--.*$/gm, "");
  expect(statements).not.toMatch(/^\s*(BEGIN|COMMIT|ROLLBACK|START TRANSACTION)\s*;/im);
  expect(statements).not.toMatch(/\bCONCURRENTLY\b|\bVACUUM\b/i);
});
