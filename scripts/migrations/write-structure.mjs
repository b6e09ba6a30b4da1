import { writeFileSync } from "node:fs";
import { databaseStructure } from "./database-structure.mjs";
import { migrate } from "./migrate.mjs";
import { inProject } from "../launch/paths.mjs";
import { temporaryDatabase } from "../database/temporary-database.mjs";

export const structureFile = inProject("prisma", "structure.txt");

/** Writes prisma/structure.txt from a temporary database to which all migrations are applied. */
export async function writeStructure(step) {
  await step("Structure", async ({ done }) => {
    const database = await temporaryDatabase();
    try {
      await migrate(database.url);
      writeFileSync(structureFile, await databaseStructure(database.url));
    } finally {
      await database.close();
    }
    done("prisma/structure.txt");
  });
}
