import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["**/*.test.{ts,tsx,mjs}"],
    exclude: ["**/node_modules/**", ".next/**", ".build/**", ".data/**", "e2e/**", "structure/**"],
    globalSetup: ["scripts/checks/vitest-setup.mjs", "server/testing/tenancy/setup.ts"],
    setupFiles: [
      "server/testing/tenancy/record.ts",
      "server/testing/signing/refuse-in-transactions.ts",
      "server/wallets/google/testing/ports.ts",
    ],
    // Most tests wait for the database, so one file at a time, Vitest's choice on two cores, leaves a core idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // In CI a failed test is tried once more, and reported: see docs/decisions/376.
    retry: process.env["CI"] ? 1 : 0,
    // Bounds for what hangs, not for speed: beside other work on two cores, a test that computes takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest waits one second. A busy machine takes longer for what happens in the background.
    expect: { poll: { timeout: 20_000 } },
    // A log shows messages alone: they name the values that differ.
    chaiConfig: { truncateThreshold: 1000 },
  },
});
