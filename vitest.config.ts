import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    include: ["**/*.test.{ts,tsx,mjs}"],
    exclude: ["**/node_modules/**", ".next/**", ".build/**", ".data/**", "e2e/**"],
    globalSetup: "scripts/vitest-setup.mjs",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
