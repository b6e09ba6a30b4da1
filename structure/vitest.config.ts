import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** Runs the tests of the code as a whole; they read source files and need no database. */
export default defineConfig({
  resolve: { alias: { "@": root } },
  // A limit for tests that hang. Next to other work, reading 3,000 files takes ten times as long.
  test: { root, include: ["structure/**/*.test.ts"], testTimeout: 120_000 },
});
