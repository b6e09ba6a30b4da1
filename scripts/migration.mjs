import "./node-version.mjs";

// `npm run migration -- <name>`: writes the migration that takes the database from the migrations there are to
// prisma/schema.prisma, for a developer to read, complete and commit.
const { launch } = await import("./launch/launch.mjs");
await launch(
  async (step) => {
    const { writeMigration } = await import("./migrations/write-migration.mjs");
    await writeMigration(step, process.argv.slice(2).join("_"));
  },
  { development: true },
);
