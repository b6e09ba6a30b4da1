import { defineConfig } from "prisma/config";

// Migrations are applied by scripts/migrations/migrate.mjs with the WASM engine; this file serves `prisma generate` and editors.
export default defineConfig({ schema: "schema.prisma", migrations: { path: "migrations" } });
