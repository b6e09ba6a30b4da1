import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../launch/failure.mjs";
import { migrate } from "./migrate.mjs";
import { migrationsFolder, migrationsOf } from "./migrations.mjs";
import { schemaDiff } from "./schema-diff.mjs";
import { temporaryDatabase } from "../database/temporary-database.mjs";

/** @param {string} title what the migration does, for the name of its folder */
export async function writeMigration(step, title) {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (!slug)
    throw new Failure("The migration needs a name.", "say what it does, for example: npm run migration -- add photos");
  await step("Migration", async ({ done }) => {
    const sql = await differences();
    if (!sql) return done("none is needed: the migrations and prisma/schema.prisma agree");
    const name = `${timestampAfter(migrationsOf().at(-1)?.name)}_${slug}`;
    mkdirSync(join(migrationsFolder, name));
    writeFileSync(join(migrationsFolder, name, "migration.sql"), `${sql}\n`);
    done(`prisma/migrations/${name}/migration.sql: complete it, then npm run structure`);
  });
}

async function differences() {
  const database = await temporaryDatabase();
  try {
    await migrate(database.url);
    return await schemaDiff(database.url);
  } finally {
    await database.close();
  }
}

/** The present time in Prisma's format, or a second after the last migration if that is later. */
function timestampAfter(last = "") {
  const digits = (date) => date.toISOString().replace(/\D/g, "").slice(0, 14);
  const now = digits(new Date());
  if (now > last.slice(0, 14)) return now;
  const [, y, mo, d, h, mi, s] = last.match(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/);
  return digits(new Date(Date.UTC(y, mo - 1, d, h, mi, Number(s) + 1)));
}
