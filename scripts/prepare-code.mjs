import { mkdirSync } from "node:fs";
import { buildServer } from "./build-server.mjs";
import { withLock } from "./lock.mjs";
import { inProject } from "./paths.mjs";
import { generatePrismaClient } from "./prisma-generate.mjs";

/** Brings .build up to date; one process at a time, since `npm run admin` may do so while `npm start` does. */
export async function prepareCode(step) {
  mkdirSync(inProject(".build"), { recursive: true });
  await withLock(inProject(".build", "lock"), async () => {
    await generatePrismaClient(step);
    await buildServer(step);
  });
}
