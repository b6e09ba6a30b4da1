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

/** What the sources import but do not hold: the Prisma client, the table of routes and the names of the migrations. */
export const generateCode = (step) =>
  exclusively(async () => {
    await generatePrismaClient(step);
    generateRoutes();
    generateMigrationNames();
  });

/** All that runs from .build. One process at a time: `npm run admin` may do this while `npm start` does. */
export async function prepareCode(step) {
  await generateCode(step);
  await exclusively(async () => {
    await buildServer(step);
    await buildPublic(step);
  });
}
