import { mkdirSync } from "node:fs";
import { buildPublic } from "./build-public.mjs";
import { buildServer } from "./build-server.mjs";
import { withLock } from "../database/lock.mjs";
import { generateMigrationNames } from "../migrations/migration-names.mjs";
import { inProject } from "../launch/paths.mjs";
import { generatePrismaClient } from "./prisma-generate.mjs";
import { generateRoutes } from "./routes.mjs";

const exclusively = (work) => {
  mkdirSync(inProject(".build"), { recursive: true });
  return withLock(inProject(".build", "lock"), work);
};

/** Generated files that the sources import: the Prisma client, the table of routes and the names of the migrations. */
export const generateCode = (step) =>
  exclusively(async () => {
    await generatePrismaClient(step);
    generateRoutes();
    generateMigrationNames();
  });

/**
 * Builds everything that runs from .build. Only one process at a time, because `npm run admin` and `npm start` may both
 * do this.
 */
export async function prepareCode(step) {
  await generateCode(step);
  await exclusively(async () => {
    await buildServer(step);
    await buildPublic(step);
  });
}
